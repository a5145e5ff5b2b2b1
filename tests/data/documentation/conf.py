project = "Lab"
version = "1"
epub_copyright = "2026, Lab"
extensions = ["topoviz.sphinx", "myst_parser"]
numfig = True
locale_dirs = ["locales"]
html_theme = "alabaster"
