"""What there is: documents, parts, the topology."""
