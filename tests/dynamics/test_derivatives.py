import math

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import modecontrol as mc
from modecontrol.dynamics.derivatives import Path, differentiate, kind_of


@given(x=st.floats(0.3, 3.0), scale=st.floats(0.1, 10.0))
def test_smooth_functions_are_differentiated_to_eleven_places(x, scale):
    found = differentiate(
        lambda t: (np.array([math.sin(t / scale), math.exp(t / scale)]), np.array([[t**3]])), x, scale
    )
    expected = [math.cos(x / scale) / scale, math.exp(x / scale) / scale]
    np.testing.assert_allclose(
        found.arrays[0], expected, rtol=0, atol=1e-10 * max(1.0, math.exp(x / scale)) / scale
    )
    np.testing.assert_allclose(found.arrays[1], 3 * x**2, rtol=1e-9, atol=1e-10 * x**3 / scale)


@pytest.mark.parametrize("name", ["l", "d", "h", "d2", "m", "I", "mu_toe", "alpha", "phi2", "z"])
def test_arrays_of_a_snapshot_follow_their_symbols(name):
    """Sympy differentiates the same arrays by its own rules."""
    model = mc.load("rhex")
    rng = np.random.default_rng(5)
    q, v = np.array(model.start) + rng.normal(size=6) * 0.1, rng.normal(size=6)
    path = Path(model, name, q, v)
    fields = {
        "mass": "mass",
        "bias": "bias",
        "jacobian": "contact_jacobian",
        "drift": "contact_drift",
        "friction": "friction",
    }
    found = differentiate(
        lambda x: tuple(np.array(getattr(path(x), field)) for field in fields), path.middle, path.size
    )
    e = model.equations
    values = {
        **{symbol: model.parameters[str(symbol)] for symbol in e.parameters},
        **dict(zip(e.coordinates, q, strict=True)),
        **dict(zip(e.velocities, v, strict=True)),
    }
    symbol = next(s for s in (*e.parameters, *e.coordinates) if str(s) == name)
    for array, field in zip(found.arrays, fields.values(), strict=True):
        exact = np.array(
            sympy.Matrix(getattr(e, field)).diff(symbol).subs(values).evalf(20), dtype=float
        ).reshape(array.shape)
        np.testing.assert_allclose(array, exact, rtol=0, atol=1e-9 * max(1.0, np.abs(exact).max()))


def test_a_path_follows_its_place():
    from modecontrol.trials.rhex.observer import at_rest

    model = mc.load("rhex")
    path = Path(model, "l", model.start, np.zeros(6), at_rest)
    for x in (0.15, 0.17, 0.2):
        assert np.abs(path(x).gap).max() < 1e-12
    assert np.abs(Path(model, "l", model.start, np.zeros(6))(0.2).gap[1:]).min() > 0.001


def test_names_are_looked_up_in_order():
    model = mc.load("rhex")
    assert [kind_of(model, name) for name in ("l", "alpha", "alpha_d")] == [
        "parameter",
        "coordinate",
        "velocity",
    ]
    with pytest.raises(
        ValueError, match=r"'alhpa' is no parameter, coordinate or velocity of 'rhex'; did you mean 'alpha'\?"
    ):
        kind_of(model, "alhpa")


def test_arrays_that_change_their_shape_have_no_derivative():
    with pytest.raises(ValueError, match="change their shape"):
        differentiate(lambda x: (np.zeros(3 if x > 1 else 2),), 1.0, 1.0)


@settings(max_examples=20, deadline=None)
@given(v=st.floats(0.1, 3))
def test_velocities_vary_too(v):
    model = mc.load("rhex")
    path = Path(model, "alpha_d", model.start, [0, 0, v, 0, 0, 0])
    assert path.middle == v
    found = differentiate(lambda x: (np.array(path(x).drift),), path.middle, path.size)
    assert found.error < 1e-9
    step = 1e-5
    rough = (path(v + step).drift - path(v - step).drift) / (2 * step)
    np.testing.assert_allclose(found.arrays[0], rough, atol=1e-8)
