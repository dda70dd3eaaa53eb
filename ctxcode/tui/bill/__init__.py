"""How the bill of a plan is arranged: which rows, in which order. Pure."""
