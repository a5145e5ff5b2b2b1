"""Racks as columns, rails as bands: ``wiring`` finds what belongs together, ``place`` says where, ``paint`` draws it."""
