"""GPUs joined without a switch: who is joined with whom, where each stands, and the lines between them."""
