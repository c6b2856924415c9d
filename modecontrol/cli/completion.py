"""Shell completion, written from the parser itself: `eval "$(modecontrol --completion bash)"`.

Completed are commands, options and the words that they take, the models that ship, and files where a file or folder
is meant.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

SHELLS = ("bash", "zsh", "fish")
FILES = ("MODEL", "FILE", "DIR")
"""Placeholders of values that are files or folders."""


class Option(NamedTuple):
    """A long option: its name, what it is for, whether it takes a value, which words, and whether that is a file."""

    name: str
    about: str
    takes: bool
    words: tuple[str, ...]
    file: bool


class Command(NamedTuple):
    """What a command is for, its options, and whether it takes a model or another file."""

    about: str
    options: tuple[Option, ...]
    model: bool
    file: bool


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The completion script of a shell.

    Parameters
    ----------
    parser
        The parser with all commands.
    shell
        One of `SHELLS`.
    """
    commands = _commands(parser)
    return _fish(commands) if shell == "fish" else _bash(commands, zsh=shell == "zsh")


def _commands(parser: argparse.ArgumentParser) -> dict[str, Command]:
    found = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            about = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, sub in action.choices.items():
                places = [entry for entry in sub._actions if not entry.option_strings]
                found[name] = Command(
                    about[name],
                    tuple(
                        _option(sub, entry, text)
                        for entry in sub._actions
                        for text in entry.option_strings
                        if text.startswith("--")
                    ),
                    any(entry.dest == "model" for entry in places),
                    any(entry.metavar in FILES for entry in places),
                )
    return found


def _option(parser: argparse.ArgumentParser, entry: argparse.Action, name: str) -> Option:
    about = parser._get_formatter()._expand_help(entry) if entry.help else ""
    words = tuple(str(choice) for choice in entry.choices or ())
    return Option(name, about.split(" (")[0].split(";")[0], entry.nargs != 0, words, entry.metavar in FILES)


def _models() -> list[str]:
    from modecontrol import models

    return models()


def _bash(commands: dict[str, Command], zsh: bool) -> str:
    lines = ["# completion of modecontrol"]
    if zsh:
        lines += [
            "autoload -Uz compinit bashcompinit",
            "(( $+functions[compdef] )) || compinit",
            "bashcompinit",
        ]
    lines += [
        "_modecontrol() {",
        '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words="" files=""',
        '    if [ "$COMP_CWORD" -eq 1 ]; then',
        f'        words="{" ".join(commands)} --help --version --completion"',
        '    elif [ "$before" = --completion ]; then',
        f'        words="{" ".join(SHELLS)}"',
        '    else case "${COMP_WORDS[1]} $before" in',
    ]
    for name, command in commands.items():
        for option in command.options:
            if option.takes:  # a word with a space in it would be several
                words = " ".join(word for word in option.words if " " not in word)
                files = "yes" if option.file else ""
                lines.append(f'        "{name} {option.name}") words="{words}"; files={files} ;;')
        words = " ".join([option.name for option in command.options] + (_models() if command.model else []))
        files = "yes" if command.file else ""
        lines.append(f'        "{name} "*) words="{words}"; files={files} ;;')
    lines += [
        "    esac; fi",
        '    COMPREPLY=( $(compgen -W "$words" -- "$word") )',
        '    case "$word" in -*) ;; *) [ -n "$files" ] && COMPREPLY+=( $(compgen -f -- "$word") ) ;; esac',
        "}",
        "complete -F _modecontrol modecontrol",
    ]
    return "\n".join(lines) + "\n"


def _fish(commands: dict[str, Command]) -> str:
    def quoted(text: str) -> str:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = [
        "# completion of modecontrol",
        "complete -c modecontrol -f -n __fish_use_subcommand",
        "complete -c modecontrol -n __fish_use_subcommand -l version",
        f"complete -c modecontrol -n __fish_use_subcommand -x -l completion -a {quoted(' '.join(SHELLS))}",
    ]
    for name, command in commands.items():
        lines.append(f"complete -c modecontrol -n __fish_use_subcommand -a {name} -d {quoted(command.about)}")
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        if not command.file:
            lines.append(f"complete -c modecontrol {seen} -f")
        for option in command.options:
            kind = "-r -F" if option.file else "-x" if option.takes else "-f"
            words = quoted(" ".join(word.replace(" ", "\\ ") for word in option.words))
            given = f" -a {words}" if option.words else ""
            lines.append(
                f"complete -c modecontrol {seen} {kind} -l {option.name[2:]}{given} -d {quoted(option.about)}"
            )
        if command.model:
            lines.append(f"complete -c modecontrol {seen} -a {quoted(' '.join(_models()))}")
    return "\n".join(lines) + "\n"
