"""A slow twin of the tree kernels: points of the plane as complex numbers, derivatives by truncated Taylor
series.

It knows only where the bodies are; velocities, accelerations, Jacobians and forces follow by differentiation,
so that it shares neither formulas nor code with the recursive kernels.
"""

import cmath

import numpy as np

from modecontrol.dynamics.mechanism import WORLD


class Jet:
    """`f(s) = f0 + f1 s + f2 s^2 / 2` about s = 0: value, rate and second rate along a straight path in q."""

    def __init__(self, f0, f1=0.0, f2=0.0):
        self.f0, self.f1, self.f2 = f0, f1, f2

    def __add__(self, other):
        o = other if isinstance(other, Jet) else Jet(other)
        return Jet(self.f0 + o.f0, self.f1 + o.f1, self.f2 + o.f2)

    __radd__ = __add__

    def __neg__(self):
        return Jet(-self.f0, -self.f1, -self.f2)

    def __sub__(self, other):
        return self + (-other)

    def __mul__(self, other):
        o = other if isinstance(other, Jet) else Jet(other)
        return Jet(
            self.f0 * o.f0,
            self.f1 * o.f0 + self.f0 * o.f1,
            self.f2 * o.f0 + 2 * self.f1 * o.f1 + self.f0 * o.f2,
        )

    __rmul__ = __mul__

    def chain(self, value, first, second):
        """`g(f)` from `g`, `g'`, `g''` at `f0`."""
        return Jet(value, first * self.f1, second * self.f1**2 + first * self.f2)

    def exp(self):
        value = cmath.exp(self.f0)
        return self.chain(value, value, value)

    def log(self):
        return self.chain(cmath.log(self.f0), 1 / self.f0, -1 / self.f0**2)

    @property
    def real(self):
        return Jet(complex(self.f0).real, complex(self.f1).real, complex(self.f2).real)

    @property
    def imag(self):
        return (self * -1j).real


def frames(mechanism, q, v):
    """Origin (complex) and angle of every body's frame as jets along `q + s v`."""
    index = {name: i for i, name in enumerate(mechanism.coordinates)}
    placed = {WORLD: (Jet(0j), Jet(0.0))}
    for body in mechanism.bodies:
        origin, angle = placed[body.parent]
        joint = body.joint
        values = [Jet(q[index[c]], v[index[c]]) for c in joint.coordinates]
        origin = origin + (angle * 1j).exp() * complex(*joint.at)
        angle = angle + joint.angle
        if joint.kind in ("planar", "prismatic"):
            slide = values[0] + (values[1] * 1j if joint.kind == "planar" else 0.0)
            origin = origin + (angle * 1j).exp() * slide
        if joint.kind in ("planar", "revolute"):
            angle = angle + values[-1]
        placed[body.name] = origin, angle
    return placed


def point(placed, body, where):
    origin, angle = placed[body]
    return origin + (angle * 1j).exp() * complex(*where)


def contact(placed, c):
    """Gap jet, tangential velocity and its rate."""
    centre = point(placed, c.body, c.point)
    radius = 0.0 if c.kind == "point" else c.radius
    if c.kind != "disc_disc":
        carrier = placed[c.other][1]
        local = (centre - point(placed, c.other, c.origin)) * ((carrier + c.tilt) * -1j).exp()
        along = local.real + radius * (placed[c.body][1] - carrier)
        return local.imag + (-radius), along.f1, along.f2
    polar = (centre - point(placed, c.other, c.other_point)).log()
    distance, direction = polar.real.exp().real, polar.imag
    # t is n turned by -90 degrees, so the distance times the turning of n counts backwards
    slip = c.radius * placed[c.body][1] + c.other_radius * placed[c.other][1]
    return (
        distance + (-c.radius - c.other_radius),
        slip.f1 - distance.f0 * direction.f1,
        slip.f2 - distance.f1 * direction.f1 - distance.f0 * direction.f2,
    )


def pin(placed, p):
    return point(placed, p.body, p.point) - point(placed, p.other, p.other_point)


def twin_snapshot(mechanism, q, v):
    """All arrays of one instant and the energies, as a dict."""
    n = len(q)
    along = [frames(mechanism, q, e) for e in np.eye(n)]
    path = frames(mechanism, q, v)
    M, b, T, V = np.zeros((n, n)), np.zeros(n), 0.0, 0.0
    gravity = complex(*mechanism.gravity)
    for body in mechanism.bodies:
        Jc = np.array([point(frame, body.name, body.com).f1 for frame in along])
        Jw = np.array([frame[body.name][1].f1 for frame in along])
        com = point(path, body.name, body.com)
        M += body.mass * (np.conj(Jc)[:, None] * Jc).real + body.inertia * np.outer(Jw, Jw)
        b += body.mass * (np.conj(Jc) * (com.f2 - gravity)).real + body.inertia * Jw * path[body.name][1].f2
        T += 0.5 * body.mass * abs(com.f1) ** 2 + 0.5 * body.inertia * path[body.name][1].f1 ** 2
        fixed = not np.any(Jc) and not np.any(Jw)
        V -= 0.0 if fixed else body.mass * (com.f0 * gravity.conjugate()).real
    i = 0
    for body in mechanism.bodies:
        for _ in body.joint.coordinates:
            stretch = q[i] - body.joint.rest
            b[i] += body.joint.stiffness * stretch + body.joint.damping * v[i]
            V += 0.5 * body.joint.stiffness * stretch**2
            i += 1
    J, d, xd, gap = [], [], [], []
    for c in mechanism.contacts:
        opening, slip, slip_rate = contact(path, c)
        gap.append(opening.f0)
        xd += [opening.f1, slip]
        d += [opening.f2, slip_rate]
        columns = [contact(frame, c) for frame in along]
        J += [[column[0].f1 for column in columns], [column[1] for column in columns]]
    G, e, residual = [], [], []
    for p in mechanism.pins:
        found, columns = pin(path, p), [pin(frame, p).f1 for frame in along]
        residual += [found.f0.real, found.f0.imag]
        e += [complex(found.f2).real, complex(found.f2).imag]
        G += [[complex(c).real for c in columns], [complex(c).imag for c in columns]]
    return {
        "mass": M,
        "bias": b,
        "jacobian": np.array(J).reshape(-1, n),
        "drift": np.array(d),
        "velocity": np.array(xd),
        "gap": np.array(gap),
        "loop_jacobian": np.array(G).reshape(-1, n),
        "loop_drift": np.array(e),
        "residual": np.array(residual),
        "kinetic": T,
        "potential": V,
    }
