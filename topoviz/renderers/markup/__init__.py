"""How shapes become SVG elements and elements become text."""
