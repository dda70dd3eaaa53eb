"""Which models there are to choose from: servers on this machine, keys that are set, the price list."""
