"""Shell completion, written from the parser itself: `eval "$(modecontrol --completion bash)"`.

Completed are commands, options, the models that ship, and files where a model file is meant.
"""

from __future__ import annotations

import argparse

SHELLS = ("bash", "zsh", "fish")


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


def _commands(parser: argparse.ArgumentParser) -> dict[str, tuple[str, list[tuple[str, str]], bool]]:
    """For each command: what it is for, its options with their help, and whether it takes a model."""
    found = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            about = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, sub in action.choices.items():
                options = [
                    (option, (entry.help or "").split(";")[0])
                    for entry in sub._actions
                    for option in entry.option_strings
                    if option.startswith("--")
                ]
                found[name] = (about[name], options, any(entry.dest == "model" for entry in sub._actions))
    return found


def _models() -> str:
    from modecontrol import models

    return " ".join(models())


def _bash(commands: dict[str, tuple[str, list[tuple[str, str]], bool]], zsh: bool) -> str:
    lines = ["# completion of modecontrol"]
    if zsh:
        lines += [
            "autoload -Uz compinit bashcompinit",
            "(( $+functions[compdef] )) || compinit",
            "bashcompinit",
        ]
    lines += [
        "_modecontrol() {",
        '    local word="${COMP_WORDS[COMP_CWORD]}" words="" files=""',
        '    if [ "$COMP_CWORD" -eq 1 ]; then',
        f'        words="{" ".join(commands)} --help --version --completion"',
        '    else case "${COMP_WORDS[1]}" in',
    ]
    for name, (_, options, model) in commands.items():
        plain = " ".join(option for option, _ in options)
        lines.append(
            f'        {name}) words="{plain}{" " + _models() if model else ""}"; files={"yes" if model else ""} ;;'
        )
    lines += [
        "    esac; fi",
        '    COMPREPLY=( $(compgen -W "$words" -- "$word") )',
        '    case "$word" in -*) ;; *) [ -n "$files" ] && COMPREPLY+=( $(compgen -f -- "$word") ) ;; esac',
        "}",
        "complete -F _modecontrol modecontrol",
    ]
    return "\n".join(lines) + "\n"


def _fish(commands: dict[str, tuple[str, list[tuple[str, str]], bool]]) -> str:
    def quoted(text: str) -> str:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = ["# completion of modecontrol", "complete -c modecontrol -f -n __fish_use_subcommand"]
    for name, (about, options, model) in commands.items():
        lines.append(f"complete -c modecontrol -n __fish_use_subcommand -a {name} -d {quoted(about)}")
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        for option, help_text in options:
            lines.append(f"complete -c modecontrol {seen} -l {option[2:]} -d {quoted(help_text)}")
        if model:
            lines.append(f"complete -c modecontrol {seen} -a {quoted(_models())}")
    return "\n".join(lines) + "\n"
