"""Completion scripts are read by the shells they are written for."""

import shutil
import subprocess

import pytest

from modecontrol.cli import main, simulate
from modecontrol.cli.completion import SHELLS
from modecontrol.cli.parser import COMMANDS
from modecontrol.timestepping.formulations import FORMULATIONS
from modecontrol.timestepping.settings import INTEGRATORS


@pytest.mark.parametrize("shell", SHELLS)
def test_script_names_every_command(shell, capsys):
    assert main(["--completion", shell]) == 0
    text = capsys.readouterr().out
    for command in COMMANDS:
        assert command in text
    assert "two_link" in text
    assert "velocity-tolerance" in text


def test_bash_completes_commands_options_and_models(capsys):
    assert shutil.which("bash"), "the suite needs bash, as the project's own scripts do"
    main(["--completion", "bash"])
    text = capsys.readouterr().out
    ask = (
        text
        + """
complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); COMPREPLY=(); _modecontrol; echo "${COMPREPLY[*]}"; }
complete_words modecontrol thr
complete_words modecontrol modes two
complete_words modecontrol modes two_link --velo
complete_words modecontrol simulate block --integrator t
complete_words modecontrol simulate block --duration ""
complete_words modecontrol flip --controller ""
complete_words modecontrol --completion f
"""
    )
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "thrust",
        "two_link",
        "--velocity-tolerance",
        "theta",
        "",
        "new blind sure",
        "fish",
    ]
    assert done.stderr == ""


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_offer_the_words_of_options_and_no_unfinished_help(shell, capsys):
    main(["--completion", shell])
    text = capsys.readouterr().out
    assert "nmc/os" in text
    assert "%" not in text


def test_words_of_the_simulator_are_those_of_the_library():
    assert (simulate.FORMULATIONS, simulate.INTEGRATORS) == (FORMULATIONS, INTEGRATORS)


def test_unknown_shell_is_one_line(capsys):
    assert main(["--completion", "tcsh"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
