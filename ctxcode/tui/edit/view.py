"""A set of changes as the conversation tells of it. Pure."""

from dataclasses import dataclass

from ctxcode.model.edit.change import FileVerdict
from ctxcode.model.edit.event import EditsProposed


@dataclass(frozen=True, slots=True)
class EditView:
    """A set of changes as a turn proposed it last."""

    proposed: EditsProposed
    undone: frozenset[str] = frozenset()
    """Paths of its changes that were applied, and the files have their former content again."""
    verdicts: tuple[FileVerdict, ...] = ()
    """What was said to its changes, one for each."""

    def is_partial(self, call: str) -> bool:
        """Whether some of what a call changes was accepted, and some was not."""
        mine = [
            place in said.hunks
            for change, said in zip(self.proposed.changes, self.verdicts, strict=False)
            if call in change.calls and said.hunks is not None
            for place in change.hunks_of(call)
        ]
        return any(mine) and not all(mine)

    def is_undone(self, call: str) -> bool:
        """Whether what a call came to was undone."""
        return any(change.path in self.undone for change in self.proposed.changes if call in change.calls)
