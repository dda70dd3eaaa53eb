"""How well token estimates meet what providers count."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Calibration:
    """The requests to one model whose prompt tokens the provider has counted."""

    model: str
    requests: int
    estimated: int
    """Prompt tokens as planned, all requests together."""
    counted: int
    """By the provider."""

    @property
    def factor(self) -> float:
        """Counted tokens for each estimated one. It is shown; no limit is ever stretched by it."""
        return self.counted / self.estimated if self.estimated else 1.0
