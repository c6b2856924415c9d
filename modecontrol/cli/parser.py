"""The words of the command line. Nothing heavy is imported here: `--help` answers at once."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from modecontrol import __version__
from modecontrol.cli.completion import SHELLS, script

COMMANDS = (
    "models",
    "show",
    "check",
    "modes",
    "domains",
    "ambiguity",
    "thrust",
    "sure",
    "simulate",
    "flip",
    "explore",
    "study",
)
"""One file of this folder for each: `ABOUT`, `EXAMPLE`, `arguments(parser)`, `run(args, out)`."""

_NEGATIVE = re.compile(r"-(\d|\.\d|pi\b)")
_EXPRESSIONS = ("--maximize", "--thrust", "--task", "--physical")
"""Options whose value may begin with a minus and a name."""


class Parser(argparse.ArgumentParser):
    """An `ArgumentParser` whose errors are one line."""

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read the words of a line; an option that nobody knows gets the nearest that the command has."""
        found, rest = self.parse_known_args(args, namespace)
        if rest:
            command = getattr(found, "command", "")
            known = [text for parser in self._of(command) for text in parser._option_string_actions]
            what = "option" if rest[0].startswith("-") else "word"
            hint = _hint(rest[0].partition("=")[0], known) or ";"
            self.exit(
                2,
                f"{self.prog} {command}: unknown {what} {rest[0]!r}{hint} see {self.prog} {command} --help\n",
            )
        return found

    def _of(self, command: str) -> list[argparse.ArgumentParser]:
        """The parser of a command."""
        groups = [action for action in self._actions if isinstance(action, argparse._SubParsersAction)]
        return [group.choices[command] for group in groups if command in group.choices]

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is not one of an option's words, or no command; argparse asks this of every value."""
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        what = "/".join(action.option_strings) or "command"
        self.error(f"unknown {what} {value!r}{_hint(str(value), known)} (known: {', '.join(known)})")

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where help is, then leave with exit code 2."""
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def _hint(word: str, known: Sequence[str]) -> str:
    """The nearest word as it is typed, without quotes."""
    from modecontrol.validation import nearest_word

    near = nearest_word(word, known)
    return "" if near is None else f"; did you mean {near}?"


class _Completion(argparse.Action):
    """Print the completion script of a shell and exit, as `--version` does."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option_string: Any = None
    ) -> None:
        sys.stdout.write(script(parser, values))
        parser.exit()


def build() -> Parser:
    """The parser with all commands."""
    parser = Parser(
        prog="modecontrol",
        allow_abbrev=False,
        description="Contact modes of planar mechanisms with friction: which can happen, which torques\n"
        "produce each, where the answer is ambiguous, and the best torque that surely works.",
        epilog="example:  modecontrol modes two_link --set mu=0.4",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"modecontrol {__version__}")
    parser.add_argument(
        "--completion",
        action=_Completion,
        choices=SHELLS,
        metavar="SHELL",
        help="print the completion script of a shell (bash, zsh, fish) and exit",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, title="commands")
    for name in COMMANDS:
        module = import_module(f"modecontrol.cli.{name}")
        sub = commands.add_parser(
            name,
            help=module.ABOUT,
            description=module.__doc__,
            allow_abbrev=False,
            epilog="example:\n" + module.EXAMPLE,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.arguments(sub)
        _common(sub)
        sub.set_defaults(run=module.run)
    return parser


def tidy(words: list[str]) -> list[str]:
    """Join an option and its value when the value begins with a minus (`--q -0.1,0.2`), which argparse
    misreads.
    """
    joined: list[str] = []
    for word in words:
        before = joined[-1] if joined else ""
        signed = (
            word.startswith("-") and not word.startswith("--")
            if before in _EXPRESSIONS
            else _NEGATIVE.match(word)
        )
        if signed and before.startswith("--") and "=" not in before:
            joined[-1] = f"{before}={word}"
        else:
            joined.append(word)
    return joined


def _common(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="machine-readable result on standard output")
    group.add_argument("--out", metavar="DIR", help="write pictures and data into this folder")
    group.add_argument("--quiet", action="store_true", help="no progress bars and no remarks")
    group.add_argument("--debug", action="store_true", help="show the traceback of an error")


def model_arguments(parser: argparse.ArgumentParser, state: bool = True) -> None:
    """The model, its parameters and, if the command looks at one state, its state."""
    parser.add_argument(
        "model", metavar="MODEL", help="name of a model that ships, or a path to a model.toml"
    )
    set_argument(parser, "model", "mu=0.4")
    parser.add_argument(
        "--uncertain",
        metavar="NAME=LOW..HIGH",
        action="append",
        default=[],
        help="friction known as an interval (repeatable), such as mu_toe=0.45..0.75: answers hold for all of it",
    )
    if state:
        parser.add_argument(
            "--q",
            metavar="VALUES",
            help="configuration: all coordinates (0,0.05,0) or some by name "
            "(alpha=pi/8,z=0.1); the others stay at the model's start",
        )
        parser.add_argument("--v", metavar="VALUES", help="velocity, likewise")


def set_argument(parser: argparse.ArgumentParser, of: str, example: str) -> None:
    """The option that replaces a parameter."""
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        dest="parameters",
        help=f"replace a parameter of the {of} (repeatable), such as {example}",
    )


def objective_arguments(parser: argparse.ArgumentParser, margin: float) -> None:
    """What is maximised, how far from other modes, and whether the model's constraints are the task."""
    parser.add_argument(
        "--maximize",
        metavar="EXPRESSION",
        help="what to maximise, such as alpha or 'body.normal - tau1'; "
        "default the model's first output, else its last coordinate",
    )
    parser.add_argument(
        "--margin",
        metavar="DISTANCE",
        type=float,
        default=margin,
        help="distance (input units) to keep from other modes (default %(default)s)",
    )
    parser.add_argument("--no-task", action="store_true", help="leave out the constraints of the model file")


def instant_arguments(parser: argparse.ArgumentParser) -> None:
    """Limits, constraints and thresholds of one instant."""
    group = parser.add_argument_group("constraints")
    group.add_argument(
        "--limits",
        metavar="RANGES",
        help="torque limits: one range for all inputs (-11:11) or some by "
        "name (tau1=-5:5,tau2=:0); default the model's own",
    )
    group.add_argument(
        "--physical",
        metavar="RULE",
        action="append",
        default=[],
        help="constraint that always holds, such as 'rear.normal <= 50' (repeatable)",
    )
    group.add_argument(
        "--task",
        metavar="RULE",
        action="append",
        default=[],
        help="constraint that is wished for, such as 'body.normal >= 10' (repeatable)",
    )
    group.add_argument(
        "--velocity-tolerance",
        metavar="V0",
        help="contacts slower than this (m/s) count as at rest: one number "
        "for all, one for each (0.001,0.08) or some by name (rear=0.08)",
    )
    group.add_argument(
        "--normal-tolerance",
        metavar="V0",
        help="the same for the velocity along the normal; default the one above",
    )


def picture_arguments(parser: argparse.ArgumentParser, *, project: bool = True) -> None:
    """Which part of the torque set is drawn, and whether it can be a projection."""
    group = parser.add_argument_group("pictures (with --out)")
    group.add_argument("--slice", metavar="NAME=VALUE", help="hold inputs, such as tau3=0")
    if project:
        group.add_argument(
            "--project",
            metavar="NAMES",
            help="inputs to draw, such as tau1,tau2; the others go by projection",
        )
    group.add_argument("--window", metavar="RANGES", help="window, such as -20:20 or tau1=-5:5,tau2=-9:0")


def options(args: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The named options that were given."""
    return {name: getattr(args, name) for name in names if getattr(args, name) is not None}
