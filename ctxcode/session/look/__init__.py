"""Looking into the graph for the command line: ``graph`` asks, ``report`` puts the answers as plain objects."""
