"""What only Java has: names inside of classes within classes, and what its lambdas are given."""
