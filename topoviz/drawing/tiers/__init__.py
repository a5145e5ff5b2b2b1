"""Rows from top to bottom with links as lanes between them: the steps of the view ``tiers``.

cast      who is drawn: units and the links between them
forest    which unit hangs on which, along the host links
order     the order of columns that keeps subtrees together and bars short
columns   where each column stands and how wide its glyph may be
bars      rows of bars, and on which side of a glyph the lane to a bar leaves
stack     the heights: tiers from top to bottom with room for lines and labels
paint     glyphs, lanes, plates, gutter
rows      servers as rows across rails
fan       all links of one GPU as curves
route     a ring or a path in place
"""
