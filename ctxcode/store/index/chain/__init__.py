"""The chain of edges that tells how definitions reach others: what a step costs, and which chain tells nothing."""
