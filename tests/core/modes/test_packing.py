"""Packed responses: what the reader gives back, against the raw equations; arrays that do not fit are
refused.
"""

import numpy as np
import pytest
import reference

import modecontrol as mc
from modecontrol._core import modes as core


def response_of(seed):
    s = reference.random_system(np.random.default_rng(seed), contacts=2)
    return s, mc.dynamic_response(mc.Snapshot(**s), torque_limits=[(-20.0, 20.0)] * s["actuation"].shape[1])


def read(response, index, **changed):
    packed, inputs = response.packed._replace(**changed), len(response.problem.names.inputs)
    return core.read_mode(
        packed.shape, packed.numbers, packed.number_start, response.problem.root.layout.tau, inputs, index
    )


@pytest.mark.parametrize("seed", range(20))
def test_every_number_belongs_to_one_mode(seed):
    _, response = response_of(seed)
    packed, total = response.packed, 0
    for index in range(len(packed.shape)):
        blocks = read(response, index)
        assert (
            sum(block.size for block in blocks) == packed.number_start[index + 1] - packed.number_start[index]
        )
        np.testing.assert_array_equal(
            np.concatenate([block.ravel() for block in blocks]),
            packed.numbers[packed.number_start[index] : packed.number_start[index + 1]],
        )
        total += sum(block.size for block in blocks)
    assert total == len(packed.numbers)


@pytest.mark.parametrize("seed", range(20))
def test_affine_maps_solve_the_equations_of_motion(seed):
    s, response = response_of(100 + seed)
    assert len(response.packed.shape)
    for index, shape in enumerate(response.packed.shape):
        constant, U, W, A, b, C, e, T, t, H, h = read(response, index)
        rows = np.hstack([s["mass"], -s["jacobian"].T])
        size = np.abs(rows).max() * max(np.abs(constant).max(), np.abs(U).max(initial=0.0), 1.0)
        assert np.abs(rows @ W).max(initial=0.0) <= 1e-9 * size * max(1.0, np.abs(W).max(initial=0.0))
        # at inputs that the equalities allow
        inputs = U.shape[1]
        x = np.linalg.lstsq(C, e, rcond=None)[0]
        left = rows @ (constant + U @ x[:inputs] + W @ x[inputs:]) + s["bias"] - s["actuation"] @ x[:inputs]
        assert np.abs(left).max() <= 1e-7 * size * max(1.0, np.abs(x).max(initial=0.0))
        assert [A.shape, T.shape, H.shape] == [
            (shape[1], inputs + shape[0]),
            (shape[3], inputs),
            (shape[4], inputs),
        ]
        assert [len(b), len(t), len(h)] == shape[[1, 3, 4]].tolist()


def test_arrays_that_do_not_fit_are_refused():
    _, response = response_of(3)
    packed = response.packed
    for index in (-1, len(packed.shape)):
        with pytest.raises(ValueError, match="packed response"):
            read(response, index)
    for wrong in (
        dict(shape=packed.shape + 1),
        dict(shape=-packed.shape),
        dict(number_start=packed.number_start[:-1]),
        dict(numbers=packed.numbers[:3]),
        dict(number_start=np.full_like(packed.number_start, 2**62)),
    ):
        with pytest.raises(ValueError, match="packed response"):
            read(response, 0, **wrong)


def test_views_outlive_the_response():
    _, response = response_of(4)
    constant = read(response, 0)[0]
    before = constant.copy()
    del response
    junk = [np.random.default_rng(0).normal(size=1000) for _ in range(50)]
    np.testing.assert_array_equal(constant, before)
    assert len(junk) == 50
