"""Stage 5: an outcome becomes leases, activation, suggestions. Pure."""
