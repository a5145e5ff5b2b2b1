"""What a model and a job ask of a machine: bytes in the memory of GPUs, groups of ranks, what these send."""
