"""Edits in their order, with undo and redo without limit."""

from dataclasses import dataclass

from subclust.labelled.corrections.edits import Edit


@dataclass(frozen=True)
class History:
    """What a person has done, and what they have taken back and may do again.

    Parameters
    ----------
    done : tuple of Edit
        The oldest first.
    undone : tuple of Edit
        What `redo` does again, the next one last.
    """

    done: tuple[Edit, ...] = ()
    undone: tuple[Edit, ...] = ()

    def do(self, edit: Edit) -> "History":
        """Add an edit; what was undone before can then not be done again."""
        return History((*self.done, edit))

    def undo(self) -> "History":
        """Take the last edit back; without one, nothing changes."""
        if not self.done:
            return self
        return History(self.done[:-1], (*self.undone, self.done[-1]))

    def redo(self) -> "History":
        """Do again what was taken back last; without that, nothing changes."""
        if not self.undone:
            return self
        return History((*self.done, self.undone[-1]), self.undone[:-1])
