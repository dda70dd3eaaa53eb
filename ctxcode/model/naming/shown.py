"""Names and paths as they stand in texts for a model: on their line, whatever a repository calls its files."""

_PICTURES = {
    **{code: chr(0x2400 + code) for code in range(0x20)},
    0x7F: "\u2421",
    **dict.fromkeys((0x85, 0x2028, 0x2029), "\u2424"),
}
"""What ends a line or moves a cursor, as the sign that stands for it."""


def on_one_line(text: str) -> str:
    """Return a name, or a line made of names, with what would break or move the line as signs: ``a␊b``.

    A file's name may hold a line that looks like a heading of ours.
    """
    return text if text.isprintable() else text.translate(_PICTURES)
