"""The drawing room: from a topology and a layout to placed shapes."""
