"""Threads and processes at once do not change any answer."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import reference

import modecontrol as mc

SEEDS = range(10)


def answers(seed):
    """Everything that is asked of one random instant, to the last bit."""
    rng = np.random.default_rng(seed)
    s = reference.random_system(rng)
    t = s["actuation"].shape[1]
    response = mc.dynamic_response(mc.Snapshot(**s), [(-20.0, 20.0)] * t)
    points = rng.uniform(-20.0, 20.0, size=(4, t))
    best = mc.maximize(response, np.ones(len(s["mass"])), margin=0.1)
    torque = None if best.torque is None else best.torque.tolist()
    lcp = mc.solve_lcp(np.eye(4) + 0.1 * rng.normal(size=(4, 4)), rng.normal(size=4))
    return (
        response.modes,
        [response.modes_at(tau) for tau in points],
        (best.mode, best.value, torque),
        [response.unambiguous(mode).contains(points).tolist() for mode in response.modes[:2]],
        lcp.z.tolist(),
    )


def test_threads_and_processes_at_once_change_nothing():
    alone = [answers(seed) for seed in SEEDS]
    context = multiprocessing.get_context("spawn")
    with ThreadPoolExecutor(4) as threads, ProcessPoolExecutor(2, mp_context=context) as processes:
        by_processes = processes.map(answers, SEEDS)
        by_threads = threads.map(answers, [*SEEDS, *SEEDS])
        assert list(by_threads) == alone + alone
        assert list(by_processes) == alone


def run(seed):
    """Modes at the start of a model and a run under its controller, to the last bit."""
    model = mc.load(("two_link", "biped")[seed % 2])
    q, v = np.array(model.start), np.zeros(len(model.coordinates))
    response = mc.dynamic_response(model.snapshot(q), [(-20.0, 20.0)] * len(model.inputs))
    arrays = [response[mode].domain.A.tobytes() for mode in response.modes[:8]]
    tau = np.random.default_rng(seed).normal(size=len(model.inputs))
    path = mc.simulate(model, q, v, controller=lambda t, q, v: tau, duration=0.02, step=1e-3)
    return response.modes, arrays, path.q.tobytes(), path.v.tobytes()


def test_eight_threads_give_the_bits_of_one():
    """Responses and runs, each asked by eight threads at the same time."""
    alone = [run(seed) for seed in range(8)]
    with ThreadPoolExecutor(8) as threads:
        for _ in range(3):
            assert list(threads.map(run, range(8))) == alone
