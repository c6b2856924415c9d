"""Long calls: they answer signals, leave other threads alone, and refuse sizes that do not fit together."""

import signal
import threading
import time

import numpy as np
import pytest

from modecontrol._core.polytopes import (
    Workspace,
    maximize,
    maximize_batch,
    minimal_batch,
    prepare,
    project,
    solve_again,
)

NONE = np.zeros((0, 2)), np.zeros(0)
SQUARE = np.vstack([np.eye(2), -np.eye(2)]), np.ones(4)


def endless():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(60, 14))
    return project(A, 1 + rng.random(60), np.zeros((0, 14)), np.zeros(0), np.arange(14) < 7, work=1e15)


def test_a_signal_ends_a_long_call():
    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            endless()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def test_other_threads_run_meanwhile():
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    rng = np.random.default_rng(0)
    A, b = rng.normal(size=(40_000 * 20, 5)), 1 + rng.random(40_000 * 20)
    start, zero = np.arange(40_001) * 20, np.zeros(40_001, np.int64)
    other = threading.Thread(target=count)
    other.start()
    before = counted
    minimal_batch(A, b, np.zeros((0, 5)), np.zeros(0), start, zero)
    during = counted - before
    done.set()
    other.join()
    assert during > 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: maximize(np.ones(3), *SQUARE, *NONE), "objective has 3 entries for 2"),
        (lambda: maximize(np.ones(2), SQUARE[0], np.ones(3), *NONE), "A has 4 rows and b has 3"),
        (lambda: maximize(np.ones(2), *SQUARE, np.zeros((0, 3)), np.zeros(0)), "A has 2 columns and C has 3"),
        (
            lambda: maximize_batch(np.ones((2, 2)), *SQUARE, *NONE, np.array([0, 4]), np.array([0, 0])),
            "2 objectives for 1 sets",
        ),
        (
            lambda: minimal_batch(*SQUARE, *NONE, np.array([0, 3]), np.array([0, 0])),
            "row_start goes from 0 to 3",
        ),
        (
            lambda: minimal_batch(*SQUARE, *NONE, np.array([0, 5, 4]), np.array([0, 0, 0])),
            "row_start falls from 5 to 4",
        ),
        (
            lambda: minimal_batch(*SQUARE, *NONE, np.array([0, 4]), np.array([0, 0]), threads=0),
            "threads is 0",
        ),
        (lambda: project(*SQUARE, *NONE, np.array([True])), "keep has 1 entries for 2"),
        (lambda: prepare(Workspace(3, 0, 2), *SQUARE, *NONE), "workspace holds up to 3"),
        (lambda: solve_again(Workspace(4, 0, 2), np.ones(2)), "objective has 2 entries for 0"),
    ],
)
def test_sizes_that_do_not_fit_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
