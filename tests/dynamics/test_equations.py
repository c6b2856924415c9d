"""Symbolic equations against textbooks, finite differences, identities and sympy's own mechanics."""

import pickle
from functools import cache

import numpy as np
import pytest
import sympy as sp

from modecontrol.dynamics.expressions import Expression
from modecontrol.dynamics.mechanism import Body, Contact, Input, Joint, Mechanism, Pin
from modecontrol.dynamics.symbols.equations import equations_of

E = Expression
STEP = 1e-6


def double_pendulum() -> Mechanism:
    """Two links hanging from the origin, angles from the downward vertical, the second one relative."""
    return Mechanism(
        "double pendulum",
        (
            Body(
                "upper",
                "world",
                Joint("revolute", ("a",), angle=-np.pi / 2),
                E("m1"),
                E("I1"),
                (E("c1"), 0.0),
            ),
            Body(
                "lower",
                "upper",
                Joint("revolute", ("b",), at=(E("l1"), 0.0)),
                E("m2"),
                E("I2"),
                (E("c2"), 0.0),
            ),
        ),
        gravity=(0.0, E("-g")),
        inputs=(Input("elbow", ("b",)),),
        parameters={"m1": 1.0, "m2": 0.7, "I1": 0.1, "I2": 0.05, "l1": 0.8, "c1": 0.4, "c2": 0.3, "g": 9.81},
    )


def cart_pole() -> Mechanism:
    """A cart on a rail with a point mass on a massless pole, angle from the upward vertical."""
    return Mechanism(
        "cart pole",
        (
            Body("cart", "world", Joint("prismatic", ("x",)), E("M")),
            Body("pole", "cart", Joint("revolute", ("theta",), angle=np.pi / 2), E("m"), com=(E("l"), 0.0)),
        ),
        gravity=(0.0, E("-g")),
        inputs=(Input("push", ("x",)),),
        parameters={"M": 2.0, "m": 0.3, "l": 0.5, "g": 9.81},
    )


def rich() -> Mechanism:
    """A floating base with an arm, a slider on a spring, a wheel, all kinds of contact, a loop."""
    return Mechanism(
        "rich",
        (
            Body(
                "base", "world", Joint("planar", ("x", "y", "theta")), E("m"), E("m*w**2/12"), (0.1, E("w/4"))
            ),
            Body(
                "arm",
                "base",
                Joint("revolute", ("alpha",), at=(E("w/2"), 0.0), angle=0.3, damping=0.1),
                1.0,
                0.02,
                (0.3, 0.0),
            ),
            Body(
                "slider",
                "arm",
                Joint("prismatic", ("s",), at=(0.4, 0.1), angle=-0.2, stiffness=E("k"), rest=0.2),
                0.5,
                0.0,
                (0.0, 0.1),
            ),
            Body("wheel", "slider", Joint("revolute", ("beta",), at=(0.1, 0.0)), 0.4, 0.01),
        ),
        inputs=(Input("motor", ("alpha",)), Input("gear", ("s", "beta"), (1.0, E("-k/100")))),
        contacts=(
            Contact("heel", "point", "base", (E("-w/2"), -0.1), tilt=0.2, origin=(0.3, -1.0), mu=E("mu")),
            Contact("tyre", "disc", "wheel", radius=E("r"), tilt=-0.1, origin=(0.0, -1.0), mu=0.9),
            Contact(
                "bump",
                "disc_disc",
                "wheel",
                radius=E("r"),
                other="base",
                other_point=(-0.3, 0.4),
                other_radius=0.2,
            ),
            Contact("ball", "disc_disc", "wheel", radius=E("r"), other_point=(2.0, -1.0), other_radius=0.5),
        ),
        pins=(Pin("hook", "slider", (0.1, 0.2), "base", (0.7, 0.3)),),
        parameters={"m": 3.0, "w": 0.6, "k": 20.0, "mu": 0.5, "r": 0.15},
    )


@cache
def rich_equations():
    return equations_of(rich())


@cache
def pendulum_equations():
    return equations_of(double_pendulum())


def random_state(n, seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=n) * 0.6, rng.normal(size=n)


def zero(expression) -> bool:
    return sp.simplify(expression) == sp.zeros(*expression.shape)


# Textbooks -------------------------------------------------------------------------------------------


def test_double_pendulum_of_the_textbooks():
    """Spong, Hutchinson, Vidyasagar: the planar elbow manipulator, angles from the vertical."""
    e = pendulum_equations()
    m1, m2, I1, I2, l1, c1, c2, g = sp.symbols("m1 m2 I1 I2 l1 c1 c2 g")
    a, b, u, w = sp.symbols("a b adot bdot")
    d11 = m1 * c1**2 + m2 * (l1**2 + c2**2 + 2 * l1 * c2 * sp.cos(b)) + I1 + I2
    d12 = m2 * (c2**2 + l1 * c2 * sp.cos(b)) + I2
    h = -m2 * l1 * c2 * sp.sin(b)
    assert zero(e.mass - sp.Matrix([[d11, d12], [d12, m2 * c2**2 + I2]]))
    assert zero(e.coriolis - sp.Matrix([h * w * u + h * (u + w) * w, -h * u * u]))
    assert zero(e.coriolis_matrix - sp.Matrix([[h * w, h * (u + w)], [-h * u, 0]]))
    assert zero(
        e.gravity
        - sp.Matrix(
            [(m1 * c1 + m2 * l1) * g * sp.sin(a) + m2 * c2 * g * sp.sin(a + b), m2 * c2 * g * sp.sin(a + b)]
        )
    )
    assert e.actuation == sp.Matrix([0, 1])


def test_results_are_compact_as_derived():
    e = pendulum_equations()
    m2, I2, l1, c2, b = sp.symbols("m2 I2 l1 c2 b")
    assert e.mass[0, 1] == I2 + c2**2 * m2 + c2 * l1 * m2 * sp.cos(b)
    assert e.mass[1, 1] == I2 + c2**2 * m2


def test_cart_pole_of_the_textbooks():
    e = equations_of(cart_pole())
    M, m, l, g, theta, rate = sp.symbols("M m l g theta thetadot")  # noqa: E741
    assert zero(e.mass - sp.Matrix([[M + m, -m * l * sp.cos(theta)], [-m * l * sp.cos(theta), m * l**2]]))
    assert zero(e.coriolis - sp.Matrix([m * l * sp.sin(theta) * rate**2, 0]))
    assert zero(e.gravity - sp.Matrix([0, -m * g * l * sp.sin(theta)]))


def test_disc_rolls_on_a_slope():
    """Without slip `v_t = -r w`; the acceleration down a slope is `g sin(slope) / (1 + I / (m r^2))`."""
    mechanism = Mechanism(
        "disc",
        (Body("disc", "world", Joint("planar", ("x", "y", "theta")), E("m"), E("I")),),
        contacts=(Contact("rim", "disc", "disc", radius=E("r"), tilt=E("slope"), mu=1.0),),
        gravity=(0.0, E("-g")),
        parameters={"m": 1.0, "I": 0.1, "r": 0.3, "slope": 0.2, "g": 9.81},
    )
    e = equations_of(mechanism)
    x, y, theta, r, slope, m, inertia, g = sp.symbols("x y theta r slope m I g")
    t, n = sp.Matrix([sp.cos(slope), sp.sin(slope)]), sp.Matrix([-sp.sin(slope), sp.cos(slope)])
    p = sp.Matrix([x, y])
    assert zero(e.contact_position - sp.Matrix([n.dot(p) - r, t.dot(p) + r * theta]))
    assert zero(e.contact_drift)
    bias = e.gravity + e.coriolis
    J = e.contact_jacobian
    KKT = sp.Matrix(sp.BlockMatrix([[e.mass, -J.T], [J, sp.zeros(2, 2)]]))
    solution = KKT.LUsolve(sp.Matrix([-bias, sp.zeros(2, 1)]))
    along = t.dot(sp.Matrix(solution[:2]))
    assert sp.simplify(along + g * sp.sin(slope) / (1 + inertia / (m * r**2))) == 0
    assert sp.simplify(solution[3] - m * g * sp.cos(slope)) == 0  # normal force


def test_agrees_with_lagranges_method():
    """sympy's own mechanics, on a slider that carries a pendulum with a spring."""
    from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

    mechanism = Mechanism(
        "slider",
        (
            Body(
                "block",
                "world",
                Joint("prismatic", ("s",), angle=E("tilt"), stiffness=E("k"), rest=E("s0")),
                E("m1"),
            ),
            Body(
                "bar", "block", Joint("revolute", ("phi",), at=(0.0, E("h"))), E("m2"), E("I"), (E("c"), 0.0)
            ),
        ),
        gravity=(0.0, E("-g")),
        parameters={
            "m1": 1.0,
            "m2": 2.0,
            "I": 0.1,
            "h": 0.2,
            "c": 0.5,
            "k": 3.0,
            "s0": 0.1,
            "g": 9.8,
            "tilt": 0.3,
        },
    )
    e = equations_of(mechanism)
    m1, m2, inertia, h, c, k, s0, g, tilt = sp.symbols("m1 m2 I h c k s0 g tilt")
    s, phi = dynamicsymbols("s phi")
    t = dynamicsymbols._t
    along, up = sp.Matrix([sp.cos(tilt), sp.sin(tilt)]), sp.Matrix([-sp.sin(tilt), sp.cos(tilt)])
    block = s * along
    bar = block + h * up + c * sp.Matrix([sp.cos(tilt + phi), sp.sin(tilt + phi)])
    speed, bar_speed = block.diff(t), bar.diff(t)
    T = (m1 * speed.dot(speed) + m2 * bar_speed.dot(bar_speed) + inertia * phi.diff(t) ** 2) / 2
    V = m1 * g * block[1] + m2 * g * bar[1] + k * (s - s0) ** 2 / 2
    method = LagrangesMethod(T - V, [s, phi])
    method.form_lagranges_equations()
    plain = {s.diff(t): e.velocities[0], phi.diff(t): e.velocities[1]}
    plain2 = {s: e.coordinates[0], phi: e.coordinates[1]}
    assert zero(e.mass - method.mass_matrix.xreplace(plain).xreplace(plain2))
    assert zero(e.bias + method.forcing.xreplace(plain).xreplace(plain2))


# Identities ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_jacobians_are_finite_differences(seed):
    e = rich_equations()
    q, v = random_state(6, seed)
    found = e.evaluate(q, v)
    for position, jacobian in (("contact_position", "contact_jacobian"), ("loop", "loop_jacobian")):
        numeric = np.column_stack(
            [
                (e.evaluate(q + d)[position] - e.evaluate(q - d)[position]) / (2 * STEP)
                for d in STEP * np.eye(6)
            ]
        )
        exists = ~np.isnan(found[position])
        np.testing.assert_allclose(found[jacobian][exists], numeric[exists], atol=1e-8)
    assert np.isnan(found["contact_position"]).tolist() == [False] * 5 + [True, False, True]


@pytest.mark.parametrize("seed", [3, 4])
def test_drifts_are_finite_differences_of_the_velocity(seed):
    e = rich_equations()
    q, v = random_state(6, seed)
    found, after, before = e.evaluate(q, v), e.evaluate(q + STEP * v, v), e.evaluate(q - STEP * v, v)
    for jacobian, drift in (("contact_jacobian", "contact_drift"), ("loop_jacobian", "loop_drift")):
        np.testing.assert_allclose(
            found[drift], (after[jacobian] - before[jacobian]) @ v / (2 * STEP), atol=1e-7
        )


@pytest.mark.parametrize("seed", [5, 6])
def test_tangential_rows_are_velocities_of_material_points(seed):
    """The touching points of two discs, followed as points fixed to their bodies."""
    e = rich_equations()
    q, v = random_state(6, seed)
    J = e.evaluate(q, v)["contact_jacobian"]

    def turn(angle):
        return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def place(q, body, point):
        x, y, theta, alpha, s, beta = q
        arm = np.array([x, y]) + turn(theta) @ (0.3, 0.0)
        slider = arm + turn(theta + alpha + 0.3) @ (0.4, 0.1) + turn(theta + alpha + 0.1) @ (s, 0.0)
        angle = theta + alpha + 0.1
        wheel = slider + turn(angle) @ (0.1, 0.0)
        return {
            "base": np.array([x, y]) + turn(theta) @ point,
            "wheel": wheel + turn(angle + beta) @ point,
            "world": np.asarray(point),
        }[body], {"base": theta, "wheel": angle + beta, "world": 0.0}[body]

    for row, other, other_point, other_radius in (
        (4, "base", (-0.3, 0.4), 0.2),
        (6, "world", (2.0, -1.0), 0.5),
    ):
        c, c_angle = place(q, "wheel", (0.0, 0.0))
        o, o_angle = place(q, other, other_point)
        n = (c - o) / np.linalg.norm(c - o)
        t = np.array([n[1], -n[0]])
        mine = turn(-c_angle) @ (-0.15 * n)
        theirs = np.asarray(other_point) + turn(-o_angle) @ (other_radius * n)
        apart = [
            place(q + h * v, "wheel", mine)[0] - place(q + h * v, other, theirs)[0] for h in (STEP, -STEP)
        ]
        velocity = (apart[0] - apart[1]) / (2 * STEP)
        np.testing.assert_allclose(J[row : row + 2] @ v, [n @ velocity, t @ velocity], atol=1e-8)


@pytest.mark.parametrize("seed", [7, 8])
def test_passivity(seed):
    """`Mdot - 2 C` is skew, `C v` is the Coriolis vector, `M` is symmetric and positive."""
    e = rich_equations()
    q, v = random_state(6, seed)
    C = np.array(
        e.coriolis_matrix.subs(dict(zip((*e.coordinates, *e.velocities), (*q, *v), strict=True))).subs(
            dict(e.values)
        ),
        dtype=float,
    )
    found = e.evaluate(q, v)
    Mdot = (e.evaluate(q + STEP * v)["mass"] - e.evaluate(q - STEP * v)["mass"]) / (2 * STEP)
    skew = Mdot - 2 * C
    np.testing.assert_allclose(skew, -skew.T, atol=1e-8)
    np.testing.assert_allclose(C @ v, found["coriolis"], atol=1e-12)
    np.testing.assert_array_equal(found["mass"], found["mass"].T)
    assert np.linalg.eigvalsh(found["mass"])[0] > 0


def test_christoffel_from_the_tree_equals_christoffel_from_derivatives():
    from modecontrol.dynamics.symbols.lagrange_equations import christoffel

    e = pendulum_equations()
    assert zero(e.coriolis_matrix - christoffel(e.mass, e.coordinates, e.velocities))


@pytest.mark.parametrize("seed", [9, 10])
def test_power_balance(seed):
    """`d/dt (T + V) = v . Q_damping` along `M qdd + b = 0`."""
    e = rich_equations()
    q, v = random_state(6, seed)
    found = e.evaluate(q, v)
    qdd = np.linalg.solve(found["mass"], -found["bias"])

    def energy(h):
        at = e.evaluate(q + h * v + h**2 / 2 * qdd, v + h * qdd)
        return at["kinetic_energy"] + at["potential_energy"]

    np.testing.assert_allclose((energy(STEP) - energy(-STEP)) / (2 * STEP), -0.1 * v[3] ** 2, atol=1e-6)
    gradient = [
        (e.evaluate(q + d)["potential_energy"] - e.evaluate(q - d)["potential_energy"]) / (2 * STEP)
        for d in STEP * np.eye(6)
    ]
    springs = e.evaluate(q)["passive"]
    np.testing.assert_allclose(found["gravity"] - springs, gradient, atol=1e-7)
    np.testing.assert_allclose(found["kinetic_energy"], v @ found["mass"] @ v / 2, rtol=1e-12)


# Reading and substituting ----------------------------------------------------------------------------------


def test_substitution_by_name_symbol_and_state():
    e = pendulum_equations()
    half = e.subs(l1=sp.Rational(1, 2), q={"b": 0}, v={"a": 0})
    l1, b, adot = sp.symbols("l1 b adot")
    replaced = {l1: sp.Rational(1, 2), b: 0, adot: 0}
    for name in ("mass", "coriolis", "gravity", "coriolis_matrix"):
        assert getattr(half, name) == getattr(e, name).subs(replaced), name
    assert half.kinetic_energy == e.kinetic_energy.subs(replaced)
    assert l1 in e.parameters
    assert l1 not in half.parameters
    assert e.subs({"l1": 2, sp.Symbol("g"): 0}).gravity == sp.zeros(2, 1)
    assert e.mass.has(l1), "the original stays as it was"


def test_substituted_equations_evaluate():
    e = pendulum_equations()
    np.testing.assert_allclose(
        e.subs(m1=5).evaluate([0.1, 0.2])["mass"], e.evaluate([0.1, 0.2], m1=5)["mass"]
    )


def test_unknown_names_are_refused():
    e = pendulum_equations()
    with pytest.raises(ValueError, match=r"unknown symbol 'l9'; expected one of a, b, adot, bdot, m1"):
        e.subs(l9=1)
    with pytest.raises(ValueError, match="unknown coordinate 'c'; expected one of a, b"):
        e.subs(q={"c": 1})
    with pytest.raises(ValueError, match="q names the unknown coordinate 'c'"):
        e.evaluate({"c": 1})
    with pytest.raises(ValueError, match="'a' is no parameter"):
        e.evaluate([0, 0], a=1.0)


def test_simplify_keeps_the_meaning():
    e = pendulum_equations()
    simple = e.simplify()
    for name in ("mass", "coriolis", "gravity", "coriolis_matrix"):
        assert zero(getattr(e, name) - getattr(simple, name))
    assert simple.coriolis[0].count_ops() <= e.coriolis[0].count_ops()


def test_print_latex_and_notebook():
    e = rich_equations()
    text = str(e)
    assert text.startswith("Equations of 'rich': M(q) qdd + C(q, v) v + g(q) = S tau")
    assert "[bump.normal, x]" not in text  # zeros are left out
    for piece in (
        "[theta, theta]",
        "[heel.normal]",
        "[tyre.tangent, beta] r",
        "[hook.x]",
        "[s, gear] 1",
        "mu = 0.5",
        "xdot",
    ):
        assert piece in text, piece
    assert max(map(len, text.splitlines())) < 300
    small = pendulum_equations()
    assert r"\dot{a}" in small.latex()
    assert small._repr_latex_().startswith(r"$\displaystyle \begin{aligned}")
    assert repr(small) == "Equations('double pendulum': 2 coordinates, 1 input, 0 contacts, 0 pins)"


def test_parameter_named_like_a_coordinate_gets_its_own_symbol():
    mechanism = Mechanism(
        "rod",
        (Body("rod", "world", Joint("revolute", ("theta",)), E("theta"), 0.0, (1.0, 0.0)),),
        parameters={"theta": 2.0},
    )
    e = equations_of(mechanism)
    assert e.mass[0, 0] == sp.Symbol("theta_")
    np.testing.assert_allclose(e.evaluate([0.3])["mass"], [[2.0]])


def test_pickle_keeps_everything():
    e = pendulum_equations()
    copy = pickle.loads(pickle.dumps(e))
    assert copy.mass == e.mass
    assert copy.coriolis_matrix == e.coriolis_matrix
    np.testing.assert_array_equal(copy.evaluate([1, 2], [3, 4])["bias"], e.evaluate([1, 2], [3, 4])["bias"])


def test_empty_mechanism_and_massless_bodies():
    nothing = equations_of(Mechanism("nothing", (Body("stone", "world", Joint("weld"), 1.0),)))
    assert nothing.mass.shape == (0, 0)
    assert nothing.contact_jacobian.shape == (0, 0)
    assert "coordinates none" in str(nothing)
    light = equations_of(
        Mechanism(
            "light",
            (Body("leg", "world", Joint("revolute", ("phi",)), com=(1.0, 0.0)),),
            contacts=(Contact("toe", "point", "leg", (1.0, 0.0)),),
        )
    )
    assert light.mass == sp.zeros(1, 1)
    assert light.gravity == sp.zeros(1, 1)
    assert light.contact_jacobian == sp.Matrix([sp.cos(sp.Symbol("phi")), -sp.sin(sp.Symbol("phi"))])


def test_coinciding_discs_have_no_normal():
    mechanism = Mechanism(
        "discs",
        (Body("disc", "world", Joint("planar", ("x", "y", "theta")), 1.0, 1.0),),
        contacts=(Contact("pair", "disc_disc", "disc", radius=0.1, other_radius=0.1),),
    )
    with pytest.raises(ValueError, match=r"no value at q = \[0\.0, 0\.0, 0\.0\]"):
        equations_of(mechanism).evaluate([0, 0, 0])


def test_long_equations_are_cut_in_print_and_not_typeset():
    links = [
        Body(
            f"b{i}",
            f"b{i - 1}" if i else "world",
            Joint("revolute", (f"q{i}",), at=(1.0, 0.2)),
            1.0,
            0.1,
            (0.5, 0.1),
        )
        for i in range(12)
    ]
    e = equations_of(Mechanism("long", tuple(links)))
    assert "terms)" in str(e)
    assert max(map(len, str(e).splitlines())) < 300
    assert e._repr_latex_() is None
