"""What is raised when no method can vouch for its answer."""

from __future__ import annotations

from typing import Any

__all__ = ["UncheckedError"]


class UncheckedError(ArithmeticError):
    """Every method's answer failed its check; the problem is attached so that it can be studied.

    Parameters
    ----------
    message : str
        Which operation failed and what each method said.
    **data
        The problem itself (arrays by name), kept in `data`.
    """

    def __init__(self, message: str, **data: Any):
        super().__init__(f"{message} (the problem is in the exception's .data: {', '.join(sorted(data))})")
        self.data = data
