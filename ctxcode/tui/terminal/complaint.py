"""What an error says to the user."""

from ctxcode.model.errors import CtxcodeError


def sentence(error: CtxcodeError) -> str:
    """Return what an error says and what to do about it, in sentences."""
    said = str(error)
    if said and error.hint and said[-1] not in ".!?:":
        said += "."
    return " ".join(part for part in (said[:1].upper() + said[1:], error.hint) if part)
