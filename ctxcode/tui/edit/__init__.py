"""A set of proposed changes while the user goes through it: what was said to each hunk, and the diff as lines."""
