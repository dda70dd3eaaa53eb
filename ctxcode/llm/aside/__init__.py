"""Models called from a process of their own; entry points ``ModelProcess`` and ``ModelAside``."""
