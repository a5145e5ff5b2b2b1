import re

import pytest
import scenes
from shoot import chromium, run

from topoviz.renderers import html
from topoviz.renderers.svg import render
from topoviz.renderers.theme import load_theme

pytestmark = pytest.mark.skipif(chromium() is None, reason="Chromium is not installed")

LIGHT, DARK = "rgb(255, 255, 255)", "rgb(13, 17, 23)"
ASK = "<script>document.title = getComputedStyle(document.querySelector('svg > rect')).fill</script>"


def ground(folder, page, *flags):
    """Return the colour of the picture's ground as the browser paints it."""
    file = folder / "page.html"
    file.write_text(page + ASK, encoding="utf-8")
    return re.search(r"<title>(.*?)</title>", run("--dump-dom", *flags, file.as_uri()))[1]


def page(html_attributes="", body_attributes="", style="", theme="auto"):
    picture = render(scenes.everything(), load_theme(theme), prefix="p")
    head = f"<!doctype html><html {html_attributes}><title></title><style>{style}</style><body {body_attributes}>"
    return head + picture


DARK_SYSTEM = "--blink-settings=preferredColorScheme=0"


@pytest.mark.parametrize(
    ("attributes", "flags", "colour"),
    [
        ({}, (), LIGHT),
        ({}, (DARK_SYSTEM,), LIGHT),  # a page that is always light
        ({"html_attributes": "data-theme=dark"}, (), DARK),
        ({"body_attributes": "data-theme=dark"}, (), DARK),
        ({"body_attributes": "data-md-color-scheme=slate"}, (), DARK),
        ({"body_attributes": "data-jp-theme-light=false"}, (), DARK),
        ({"html_attributes": "data-theme=light"}, (DARK_SYSTEM,), LIGHT),  # switched against the system
        ({"body_attributes": "data-theme=auto"}, (), LIGHT),
        ({"body_attributes": "data-theme=auto"}, (DARK_SYSTEM,), DARK),
        ({"style": ":root{--tv-bg:rgb(1, 2, 3)}"}, (), "rgb(1, 2, 3)"),  # a site's own colour
        ({"html_attributes": "data-theme=dark", "theme": "light"}, (), LIGHT),
    ],
)
def test_a_picture_in_a_page_follows_its_switch(tmp_path, attributes, flags, colour):
    assert ground(tmp_path, page(**attributes), *flags) == colour


@pytest.mark.parametrize(("flags", "colour"), [((), LIGHT), ((DARK_SYSTEM,), DARK)])
def test_our_own_page_follows_the_system(tmp_path, flags, colour):
    own = re.sub("<title>.*?</title>", "<title></title>", html.render(scenes.everything(), load_theme("auto")), count=1)
    assert ground(tmp_path, own.replace("</html>\n", ""), *flags) == colour
