"""What of a long turn is still sent: less and less from the tenth request on, calls always with their results."""

from dataclasses import replace

from ctxcode.context.candidate import Candidate, PlanRequest, ToolAtom

KEPT_EXCHANGES = 2
KEPT_THOUGHTS = 2
KEPT_RESULTS = 3


def windowed(request: PlanRequest) -> tuple[PlanRequest, list[Candidate]]:
    """Return the request as far along as its turn is, and what falls outside the window.

    From the first threshold on the last two exchanges, all tool results and the last two thoughts stay; from the
    second on tool results and the message; from the third on the last three results.
    """
    first, second, third = request.trim_from
    if request.iteration < first:
        return request, []
    kept = KEPT_EXCHANGES if request.iteration < second else 0
    split = max(0, len(request.history) - kept)
    out = [exchange.candidate for exchange in request.history[:split]]
    atoms = request.atoms
    if request.iteration >= third:
        out += [atom.candidate for atom in atoms[:-KEPT_RESULTS]]
        atoms = atoms[-KEPT_RESULTS:]
    thoughts = [place for place, atom in enumerate(atoms) if atom.said]
    spoken = set(thoughts[-KEPT_THOUGHTS:]) if request.iteration < second else set()
    atoms = tuple(atom if place in spoken else _silent(atom) for place, atom in enumerate(atoms))
    return replace(request, history=request.history[split:], atoms=atoms), out


def _silent(atom: ToolAtom) -> ToolAtom:
    """Return an atom without what was said before it."""
    if not atom.said:
        return atom
    levels = tuple(replace(level, tokens=level.tokens - atom.said_tokens) for level in atom.candidate.levels)
    return replace(atom, candidate=replace(atom.candidate, levels=levels), said="", said_tokens=0)
