"""One file of messages for each language; English texts are the keys."""
