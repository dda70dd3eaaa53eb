"""A published graph brought in step with a few changed files, by joining only those again that the change can touch.

Must give the very graph that joining all files would. Entry point: ``update.update_graph``.
"""
