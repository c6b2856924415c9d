"""The command line: every command is a thin call of the library.

0  done        1  the library could not vouch for an answer, or `check` found something        2  bad input, one line on stderr
3  there is no answer: no mode, or no inputs that surely do what is asked
130  stopped with Ctrl-C        141  the reader of a pipe went away
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

__all__ = ["main"]

BAD_INPUT = 2
NO_ANSWER = 3
FAILED = FOUND = 1
INTERRUPTED = 130
BROKEN_PIPE = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    argv
        Words of the command line without the program's name; None takes those of the process.

    Returns
    -------
    int
        Exit code.
    """
    from modecontrol.cli.parser import build, tidy

    words = tidy(list(sys.argv[1:] if argv is None else argv))
    debug = "--debug" in words
    try:
        args = build().parse_args(words)
    except SystemExit as stop:  # argparse ends by itself after --help, --version and errors
        return stop.code if isinstance(stop.code, int) else BAD_INPUT
    except BrokenPipeError:
        return _silence()
    try:
        from modecontrol.cli.output import Output

        with Output(args) as out:
            args.run(args, out)
        sys.stdout.flush()
        if out.findings:
            return FOUND
        return 0 if out.answered else NO_ANSWER
    except KeyboardInterrupt:
        return _complain(args.command, "stopped", INTERRUPTED)
    except BrokenPipeError:
        return _silence()
    except (ValueError, KeyError, OSError, ImportError, NotImplementedError) as error:
        if debug:
            raise
        return _complain(args.command, _words(error), BAD_INPUT)
    except Exception as error:
        if debug:
            raise
        what = f"no answer: {_words(error)} ({type(error).__name__}; --debug shows where)"
        return _complain(args.command, what, FAILED)


def _words(error: BaseException) -> str:
    """An error as one line: `str(KeyError)` quotes its text, which is of no use to a reader."""
    text = error.args[0] if isinstance(error, KeyError) and error.args else error
    return " ".join(str(text).split()) or type(error).__name__


def _complain(command: str, text: str, code: int) -> int:
    sys.stderr.write(f"modecontrol {command}: {text}\n")
    return code


def _silence() -> int:
    """The reader closed the pipe: the interpreter's last flush must not complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE
