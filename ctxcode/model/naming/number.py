"""Numbers with what they count."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return ``1 pin``, ``2 pins`` or ``2,000 entries``; ``plural`` where an s alone does not make it."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
