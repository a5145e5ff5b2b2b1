"""Units as columns under the bars of the top tier: ``wiring`` finds the tiers, ``place`` says where, ``paint`` draws."""
