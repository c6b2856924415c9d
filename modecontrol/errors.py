"""Every exception that the library raises on purpose, under one base.

Expected negatives (an empty set, an inconsistent torque, a task that no mode meets) are answers, not
exceptions. What is raised says what was found, what was expected and what to do, and each class is also a
child of the built-in exception that a caller would expect.
"""

from __future__ import annotations

from typing import Any


class ModeControlError(Exception):
    """Base of all exceptions of this library."""


class ModelFileError(ModeControlError, ValueError):
    """Something is wrong in a model file: one line with the file, the place and what was expected."""


class ImpactError(ModeControlError, ValueError):
    """A contact approaches: its velocity must jump before accelerations have a meaning."""


class ImpossibleStateError(ModeControlError, ValueError):
    """A state that cannot be: a rigid contact inside what it touches, an open loop, or one that opens.

    Parameters
    ----------
    message : str
        What is wrong and by how much.
    misfit
        The amounts by name (`modecontrol.dynamics.admissible.Misfit`).
    """

    def __init__(self, message: str, misfit: Any):
        super().__init__(message)
        self.misfit = misfit

    def __reduce__(self) -> tuple[Any, ...]:
        return ImpossibleStateError, (self.args[0], self.misfit)


class SingularMassError(ModeControlError, ValueError):
    """The mass matrix cannot be condensed away: some coordinates move nothing that has mass."""


class UncheckedError(ModeControlError, ArithmeticError):
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


class TooMuchWorkError(UncheckedError):
    """An operation was given up: its answer, or what lies on the way to it, is too large."""
