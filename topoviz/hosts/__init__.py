"""Other people's documents: what every program that holds pictures in text needs, and one door for each of them."""
