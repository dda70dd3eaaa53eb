"""Worker processes and what keeps them in check.

Owns starting, watching and replacing workers, and taking files in safely. Must not know what is parsed or why. Entry
point: ``lane.Run``; the public face is ``pool.ParsePool``.
"""
