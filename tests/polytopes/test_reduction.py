"""Minimal rows, hidden equalities and clashes against exact arithmetic and against the plain method."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from random_sets import rows

from modecontrol._core import layout
from modecontrol._core import polytopes as core
from modecontrol.errors import UncheckedError
from modecontrol.polytopes import Polytope
from modecontrol.polytopes.exact.certify import certify_minimal
from modecontrol.polytopes.exact.sets import exact_dimension, exact_minimal
from modecontrol.polytopes.reduction import reduce_by_programs, reduce_rows


@settings(deadline=None, max_examples=100)
@given(rows(most=4, most_rows=10))
def test_exact_arithmetic_keeps_as_many_rows(data):
    P = Polytope(*data)
    exact = exact_minimal(*data)
    assert P.is_empty == (exact is None)
    assert P.dimension == exact_dimension(*data)
    if exact is not None:
        some = np.any(P.A != 0, axis=1)  # `0 <= 0` is an equality or nothing, as one likes
        assert np.array_equal(P._reduction.implicit[some], exact[1][some])
        assert len(P.minimal().b) == np.count_nonzero(exact[0])
        certify_minimal(P, P.minimal())


@settings(deadline=None, max_examples=60)
@given(rows(most=4, most_rows=10))
def test_kernel_and_plain_method_agree(data):
    quick, plain = reduce_rows(*data), reduce_by_programs(*data)
    assert (quick.certificate is None) == (plain.certificate is None)
    some = np.any(data[0] != 0, axis=1)
    assert np.array_equal(quick.implicit[some], plain.implicit[some])
    assert len(quick.hull) == len(plain.hull)
    assert quick.keep.sum() == plain.keep.sum()


def test_plain_method_is_asked_when_the_kernel_declines(monkeypatch):
    def declines(A, b, C, d):
        none = np.zeros(len(b), dtype=bool)
        return core.Minimal(layout.UNDECIDED, none, none, np.zeros(len(b)), np.zeros(len(d)))

    monkeypatch.setattr(core, "minimal", declines)
    P = Polytope([[1.0], [2.0], [-1.0]], [1, 2, 0])
    assert len(P.minimal().b) == 2
    assert Polytope.empty(2).minimal().is_empty


@settings(deadline=None, max_examples=60)
@given(rows(most=3, most_rows=9))
def test_clash_is_irreducible(data):
    P = Polytope(*data)
    assume(P.is_empty)
    y, z = P._clash
    chosen, equal = np.flatnonzero(y), np.flatnonzero(z)
    assert P.A.T @ y + P.C.T @ z == pytest.approx(np.zeros(P.n), abs=1e-9)
    assert P.b @ y + P.d @ z < 0
    for i in range(len(chosen)):
        assert not P._select(np.delete(chosen, i), equal).is_empty
    for i in range(len(equal)):
        assert not P._select(chosen, np.delete(equal, i)).is_empty


def test_first_of_equal_rows_stays():
    P = Polytope([[1.0], [1.0], [-1.0], [2.0]], [1, 1, 0, 2], labels=["first", "second", "floor", "double"])
    assert P.minimal().labels == (frozenset({"first"}), frozenset({"floor"}))


def test_tightest_of_parallel_rows_stays():
    P = Polytope([[1.0], [1.0], [-1.0]], [2, 1, 0], labels=["loose", "tight", "floor"])
    assert P.minimal().labels == (frozenset({"tight"}), frozenset({"floor"}))


def test_certify_refuses_a_representation_that_is_too_small_or_too_large():
    P = Polytope.box([0, 0], [1, 1])
    with pytest.raises(UncheckedError, match="left out"):
        certify_minimal(P, Polytope(P.A[:3], P.b[:3]))
    with pytest.raises(UncheckedError, match="holds on the set"):
        certify_minimal(P, Polytope(P.A, P.b - [0.5, 0, 0, 0]))
    with pytest.raises(UncheckedError, match="needed"):
        certify_minimal(P, P & Polytope([[1.0, 1.0]], [2]))
    flat = Polytope([[1.0, 0], [-1, 0]], [0, 0])
    with pytest.raises(UncheckedError, match="hidden"):
        certify_minimal(flat, flat)


def test_certify_catches_a_wrong_claim_of_emptiness():
    P = Polytope([[1.0], [-1.0]], [1, 0])
    P.__dict__["_start"] = Polytope.empty(1)._start
    with pytest.raises(UncheckedError, match="has a point"):
        P.farkas(certify=True)
    Q = Polytope([[1.0], [-1.0]], [0, -1])
    Q.__dict__["_start"] = Polytope.whole(1)._start
    with pytest.raises(UncheckedError, match="even within"):
        Q.farkas(certify=True)


def test_certified_farkas_multipliers_are_exact():
    P = Polytope([[1.0, 1.0], [-1.0, 0.0], [0.0, -1.0]], [1, -1, -0.5])
    y, z = P.farkas(certify=True)
    assert [sum(v * int(a) for v, a in zip(y, column, strict=True)) for column in P.A.T] == [0, 0]
    assert y[0] - y[1] - y[2] / 2 < 0
    assert z == []


def test_set_that_is_flat_up_to_rounding_is_flat():
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(5, 5)))[0]
    box = Polytope.box([0, 0, 0, 1, 2], [1, 1, 1, 1, 2])
    P = box.preimage(turn)
    assert P.dimension == 3
    assert P.volume == pytest.approx(1)
    assert len(P.minimal().b) == 6


def test_set_of_visible_thickness_is_not_flat():
    assert Polytope.box([0, 0], [1, 1e-6]).dimension == 2
    assert Polytope.box([0, 0], [1, 1e-6]).volume == pytest.approx(1e-6)


def test_rows_of_mixed_magnitudes():
    rng = np.random.default_rng(1)
    for _ in range(20):
        A = rng.normal(size=(12, 4))
        size = 10.0 ** rng.uniform(-6, 6, 12)
        plain, mixed = Polytope(A, np.ones(12)), Polytope(A * size[:, None], size)
        assert np.array_equal(plain._reduction.keep, mixed._reduction.keep)


def test_a_variable_that_is_zero_all_over_a_small_set_gives_it_no_unit():
    """A set with a point was called empty: what rounding left of such a variable became its unit."""
    A, C = np.zeros((4, 11)), np.zeros((6, 11))
    A[[0, 1, 1, 2, 3], [4, 1, 2, 7, 7]] = -1, 1, 1, 1, -1
    C[0, [0, 2]], C[1, [1, 2]], C[2, [0, 2, 3]] = (-1, -0.5), (1, 0.5), (1, 0.5, 1)
    C[3, [0, 4, 7, 8, 9, 10]] = 2, 1, -1, -1, -1, -1
    C[4, [2, 3, 4, 5, 6, 7, 8]] = 1, 0.25, 0.5, -1, -0.5, -0.5, -1
    C[5, [2, 3, 7, 9, 10]] = 0.25, 0.5, -1, -1, -1
    for size in (1e-9, 1.414213562373e-05, 1.0, 3e5, 1e9):
        P = Polytope(A, [0, -size, 0, 0], C, np.zeros(6))
        x = P.maximize(np.zeros(11)).point
        assert not P.is_empty
        assert np.all(P.A @ x <= P.b + 1e-9 * size)
        assert P.dimension == 4


def test_emptiness_and_dimension_do_not_depend_on_the_size_of_a_set():
    rng = np.random.default_rng(5)
    values = [-2, -1, -0.5, 0.25, 1, 2.0]
    for _ in range(300):
        n = int(rng.integers(2, 11))
        m, k = int(rng.integers(1, n + 3)), int(rng.integers(0, n))
        A = rng.choice(values, size=(m, n)) * (rng.random((m, n)) < 0.3)
        C = rng.choice(values, size=(k, n)) * (rng.random((k, n)) < 0.3)
        b, d = rng.choice([-1.0, 0, 0, 0, 1], size=m), rng.choice([0.0, 0, 0, 1], size=k)
        size = float(rng.choice([1e-12, 1e-9, 1.4142e-5, 1e-7, 3e5, 1e8]))
        plain, moved = Polytope(A, b, C, d), Polytope(A, b * size, C, d * size)
        assert plain.is_empty == moved.is_empty
        assert plain.dimension == moved.dimension
