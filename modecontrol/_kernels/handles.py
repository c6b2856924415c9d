"""Handle equations `a = Phi f + b` of bodies and of assemblies of bodies: the parts of divide and conquer.

Every article (a body, or an assembly of bodies) knows how its handles answer forces on them, the handle
equations `a = Phi f + b` (Eq. (16) of Bhalerao). Handles are the joints by which it hangs on the rest.
Joining the parent's side A and the child's side B at a joint with free directions `H` and locked directions
`T` (`T^T H = 0`):

    f_B = T lam + f_r,  f_A = -f_B,  H^T f_r = r,     T^T (a_B - a_A) = 0
    Y = Phi_A,jj + Phi_B,jj    P = T (T^T Y T)^-1 T^T    E = [-Phi_A,.j; Phi_B,.j]    beta = b_B,j - b_A,j
    Phi_C = diag(Phi_A, Phi_B) - E P E^T        b_C = (b_A, b_B) + E g,    g = f_r - P (Y f_r + beta)

and on the way down `f_j = g - P E^T f_C`, `x = H^+ (Y f_j + E^T f_C + beta)`. Terms `D` on the diagonal of the mass
matrix (implicit springs and dampers, `H^T f_r = r - D x`) are held directions that give way a little:
`P = Q (Q^T Y Q + C)^-1 Q^T` with the columns `T` (`C` = 0) and those of `H^+T` (`C = 1/D`) in `Q`, the rest unchanged.
Depth is the logarithm of the number of bodies for a chain; articles of one level are independent, so a level can be
shared between cores.

The plan (made once per tree by `modecontrol.dynamics.assembly`), for B bodies, N articles, O joins:

    groups (B, 3)     node of the body, first index in `members`, degrees of freedom of its joint (1..3)
    members (n,)      nodes of the joints, joint by joint
    articles (N, 3)   first handle, number of handles, first entry in `phi`; bodies come first, then grounds
    handles (H,)      joints (numbers of the bodies they carry)
    ops (O, 6)        A, B, joint, its place among the handles of A and of B, result; ordered by level
    levels (l + 1,)   first join of each level

    work: phi (entries,), base (B, 3, 3) inverse of [H T], lock (B, 2, 3) rows T, Y, P (O, 3, 3), E (H, 3, 3),
    g, beta (O, 3), b, f (H, 3)
"""

from modecontrol import tolerances
from modecontrol._kernels.jit import njit
from modecontrol._kernels.tree import COM_X, COM_Y, COS, INERTIA, MASS, RX, RY, SIN, TURNS, UX, UY

NODE, FIRST, COUNT = 0, 1, 2
HANDLE, HANDLES, PHI = 0, 1, 2
SINGULAR = tolerances.SINGULAR


@njit
def free_directions(g, groups, members, nodes_i, pose, base, lock):
    """Free directions of joint `g` at its body's origin, completed by locked ones; False if they depend."""
    node, first, count = groups[g, NODE], groups[g, FIRST], groups[g, COUNT]
    for c in range(count):
        k = members[first + c]
        if nodes_i[k, TURNS] == 1:
            base[g, c, 0] = 1.0
            base[g, c, 1] = -(pose[node, RY] - pose[k, RY])
            base[g, c, 2] = pose[node, RX] - pose[k, RX]
        else:
            base[g, c, 0], base[g, c, 1], base[g, c, 2] = 0.0, pose[k, UX], pose[k, UY]
    if count == 1:
        # a single node sits in its own origin: a pure turn or a pure slide
        if nodes_i[node, TURNS] == 1:
            lock[g, 0, 0], lock[g, 0, 1], lock[g, 0, 2] = 0.0, 1.0, 0.0
            lock[g, 1, 0], lock[g, 1, 1], lock[g, 1, 2] = 0.0, 0.0, 1.0
        else:
            lock[g, 0, 0], lock[g, 0, 1], lock[g, 0, 2] = 1.0, 0.0, 0.0
            lock[g, 1, 0], lock[g, 1, 1], lock[g, 1, 2] = 0.0, -pose[node, UY], pose[node, UX]
    elif count == 2:
        for a in range(3):
            b, c = (a + 1) % 3, (a + 2) % 3
            lock[g, 0, a] = base[g, 0, b] * base[g, 1, c] - base[g, 0, c] * base[g, 1, b]
    for c in range(count, 3):
        for a in range(3):
            base[g, c, a] = lock[g, c - count, a]
    # rows of `base` are the directions now; they become the rows of the inverse of [H T], by cofactors
    h00, h01, h02 = base[g, 0, 0], base[g, 0, 1], base[g, 0, 2]
    h10, h11, h12 = base[g, 1, 0], base[g, 1, 1], base[g, 1, 2]
    h20, h21, h22 = base[g, 2, 0], base[g, 2, 1], base[g, 2, 2]
    c0, c1, c2 = h11 * h22 - h12 * h21, h12 * h20 - h10 * h22, h10 * h21 - h11 * h20
    det = h00 * c0 + h01 * c1 + h02 * c2
    size = (abs(h00) + abs(h01) + abs(h02)) * (abs(h10) + abs(h11) + abs(h12))
    if not abs(det) > SINGULAR * size * (abs(h20) + abs(h21) + abs(h22)):
        return False
    base[g, 0, 0], base[g, 0, 1], base[g, 0, 2] = c0 / det, c1 / det, c2 / det
    base[g, 1, 0], base[g, 1, 1] = (h02 * h21 - h01 * h22) / det, (h00 * h22 - h02 * h20) / det
    base[g, 1, 2] = (h01 * h20 - h00 * h21) / det
    base[g, 2, 0], base[g, 2, 1] = (h01 * h12 - h02 * h11) / det, (h02 * h10 - h00 * h12) / det
    base[g, 2, 2] = (h00 * h11 - h01 * h10) / det
    return True


@njit
def body_handles(g, groups, articles, handles, nodes_f, pose, phi):
    """Handle equations of one body: `Phi_ab = S_a diag(1/I, 1/m, 1/m) S_b^T`, `S` from its centre of mass."""
    node = groups[g, NODE]
    cx = pose[node, RX] + pose[node, COS] * nodes_f[node, COM_X] - pose[node, SIN] * nodes_f[node, COM_Y]
    cy = pose[node, RY] + pose[node, SIN] * nodes_f[node, COM_X] + pose[node, COS] * nodes_f[node, COM_Y]
    turn, push = 1.0 / nodes_f[node, INERTIA], 1.0 / nodes_f[node, MASS]
    first, count, start = articles[g, HANDLE], articles[g, HANDLES], articles[g, PHI]
    for a in range(count):
        at = groups[handles[first + a], NODE]
        ax, ay = -(pose[at, RY] - cy), pose[at, RX] - cx
        for b in range(count):
            at = groups[handles[first + b], NODE]
            bx, by = -(pose[at, RY] - cy), pose[at, RX] - cx
            o = start + 9 * count * a + 3 * b
            w = 3 * count
            phi[o], phi[o + 1], phi[o + 2] = turn, turn * bx, turn * by
            phi[o + w], phi[o + w + 1], phi[o + w + 2] = turn * ax, push + turn * ax * bx, turn * ax * by
            phi[o + 2 * w], phi[o + 2 * w + 1] = turn * ay, turn * ay * bx
            phi[o + 2 * w + 2] = push + turn * ay * by


@njit
def hold(q0, q1, q2, softness, Y, P):
    """Take the direction `q` into `P = Q (Q^T Y Q + C)^-1 Q^T`, `C` diagonal, `softness` its new entry."""
    y0 = Y[0, 0] * q0 + Y[0, 1] * q1 + Y[0, 2] * q2
    y1 = Y[1, 0] * q0 + Y[1, 1] * q1 + Y[1, 2] * q2
    y2 = Y[2, 0] * q0 + Y[2, 1] * q1 + Y[2, 2] * q2
    z0 = q0 - (P[0, 0] * y0 + P[0, 1] * y1 + P[0, 2] * y2)
    z1 = q1 - (P[1, 0] * y0 + P[1, 1] * y1 + P[1, 2] * y2)
    z2 = q2 - (P[2, 0] * y0 + P[2, 1] * y1 + P[2, 2] * y2)
    d = softness + y0 * z0 + y1 * z1 + y2 * z2
    k0, k1, k2 = z0 / d, z1 / d, z2 / d
    P[0, 0] += k0 * z0
    P[0, 1] += k0 * z1
    P[0, 2] += k0 * z2
    P[1, 0] += k1 * z0
    P[1, 1] += k1 * z1
    P[1, 2] += k1 * z2
    P[2, 0] += k2 * z0
    P[2, 1] += k2 * z1
    P[2, 2] += k2 * z2


@njit
def lock_compliance(g, groups, members, Y, base, lock, added, P):
    """Fill `P` (3, 3) of joint `g`: locked directions give way by nothing, sprung free ones by `1 / added`."""
    for a in range(3):
        for c in range(3):
            P[a, c] = 0.0
    first, count = groups[g, FIRST], groups[g, COUNT]
    for c in range(3 - count):
        hold(lock[g, c, 0], lock[g, c, 1], lock[g, c, 2], 0.0, Y, P)
    for c in range(count):
        if added[members[first + c]] > 0.0:
            hold(base[g, c, 0], base[g, c, 1], base[g, c, 2], 1.0 / added[members[first + c]], Y, P)


@njit
def join(o, ops, groups, members, articles, phi, base, lock, added, Y, P, E):
    """Handle equations of the result of join `o` from those of its two sides."""
    A, B, g, ja, jb, C = ops[o, 0], ops[o, 1], ops[o, 2], ops[o, 3], ops[o, 4], ops[o, 5]
    ha, hb, hc = articles[A, HANDLES], articles[B, HANDLES], articles[C, HANDLES]
    pa, pb, pc, first = articles[A, PHI], articles[B, PHI], articles[C, PHI], articles[C, HANDLE]
    for a in range(3):
        for c in range(3):
            Y[o, a, c] = (phi[pa + 3 * ha * (3 * ja + a) + 3 * ja + c]
                          + phi[pb + 3 * hb * (3 * jb + a) + 3 * jb + c])
    lock_compliance(g, groups, members, Y[o], base, lock, added, P[o])
    row = 0
    for h in range(ha):
        if h != ja:
            for a in range(3):
                for c in range(3):
                    E[first + row, a, c] = -phi[pa + 3 * ha * (3 * h + a) + 3 * ja + c]
            row += 1
    for h in range(hb):
        if h != jb:
            for a in range(3):
                for c in range(3):
                    E[first + row, a, c] = phi[pb + 3 * hb * (3 * h + a) + 3 * jb + c]
            row += 1
    for i in range(hc):
        for a in range(3):
            e0, e1, e2 = E[first + i, a, 0], E[first + i, a, 1], E[first + i, a, 2]
            k0 = e0 * P[o, 0, 0] + e1 * P[o, 1, 0] + e2 * P[o, 2, 0]
            k1 = e0 * P[o, 0, 1] + e1 * P[o, 1, 1] + e2 * P[o, 2, 1]
            k2 = e0 * P[o, 0, 2] + e1 * P[o, 1, 2] + e2 * P[o, 2, 2]
            for j in range(hc):
                for c in range(3):
                    value = -(k0 * E[first + j, c, 0] + k1 * E[first + j, c, 1] + k2 * E[first + j, c, 2])
                    if i < ha - 1 and j < ha - 1:
                        hi, hj = i + (i >= ja), j + (j >= ja)
                        value += phi[pa + 3 * ha * (3 * hi + a) + 3 * hj + c]
                    elif i >= ha - 1 and j >= ha - 1:
                        hi, hj = i - ha + 1, j - ha + 1
                        hi, hj = hi + (hi >= jb), hj + (hj >= jb)
                        value += phi[pb + 3 * hb * (3 * hi + a) + 3 * hj + c]
                    phi[pc + 3 * hc * (3 * i + a) + 3 * j + c] = value


@njit
def bias_up(o, ops, groups, members, articles, base, r, Y, P, E, g, beta, b):
    """Bias of the result of join `o`, and what of the joint's force is known without the handles' forces."""
    A, B, joint, ja, jb, C = ops[o, 0], ops[o, 1], ops[o, 2], ops[o, 3], ops[o, 4], ops[o, 5]
    fa, fb, fc = articles[A, HANDLE], articles[B, HANDLE], articles[C, HANDLE]
    first, count = groups[joint, FIRST], groups[joint, COUNT]
    f0, f1, f2 = 0.0, 0.0, 0.0
    for c in range(count):
        value = r[members[first + c]]
        f0 += base[joint, c, 0] * value
        f1 += base[joint, c, 1] * value
        f2 += base[joint, c, 2] * value
    for a in range(3):
        beta[o, a] = b[fb + jb, a] - b[fa + ja, a]
    s0 = beta[o, 0] + Y[o, 0, 0] * f0 + Y[o, 0, 1] * f1 + Y[o, 0, 2] * f2
    s1 = beta[o, 1] + Y[o, 1, 0] * f0 + Y[o, 1, 1] * f1 + Y[o, 1, 2] * f2
    s2 = beta[o, 2] + Y[o, 2, 0] * f0 + Y[o, 2, 1] * f1 + Y[o, 2, 2] * f2
    g[o, 0] = f0 - (P[o, 0, 0] * s0 + P[o, 0, 1] * s1 + P[o, 0, 2] * s2)
    g[o, 1] = f1 - (P[o, 1, 0] * s0 + P[o, 1, 1] * s1 + P[o, 1, 2] * s2)
    g[o, 2] = f2 - (P[o, 2, 0] * s0 + P[o, 2, 1] * s1 + P[o, 2, 2] * s2)
    row = fc
    for side in range(2):
        start, place_j, many = (fa, ja, articles[A, HANDLES]) if side == 0 else (fb, jb, articles[B, HANDLES])
        for h in range(many):
            if h != place_j:
                for a in range(3):
                    b[row, a] = (b[start + h, a] + E[row, a, 0] * g[o, 0] + E[row, a, 1] * g[o, 1]
                                 + E[row, a, 2] * g[o, 2])
                row += 1


@njit
def force_down(o, ops, groups, members, articles, base, Y, P, E, g, beta, f, x):
    """Force in the joint of join `o` and its acceleration, from the forces on the handles of the result."""
    A, B, joint, ja, jb, C = ops[o, 0], ops[o, 1], ops[o, 2], ops[o, 3], ops[o, 4], ops[o, 5]
    fa, fb, fc = articles[A, HANDLE], articles[B, HANDLE], articles[C, HANDLE]
    s0, s1, s2 = 0.0, 0.0, 0.0
    for i in range(fc, fc + articles[C, HANDLES]):
        for a in range(3):
            s0 += E[i, a, 0] * f[i, a]
            s1 += E[i, a, 1] * f[i, a]
            s2 += E[i, a, 2] * f[i, a]
    j0 = g[o, 0] - (P[o, 0, 0] * s0 + P[o, 0, 1] * s1 + P[o, 0, 2] * s2)
    j1 = g[o, 1] - (P[o, 1, 0] * s0 + P[o, 1, 1] * s1 + P[o, 1, 2] * s2)
    j2 = g[o, 2] - (P[o, 2, 0] * s0 + P[o, 2, 1] * s1 + P[o, 2, 2] * s2)
    s0 += beta[o, 0] + Y[o, 0, 0] * j0 + Y[o, 0, 1] * j1 + Y[o, 0, 2] * j2
    s1 += beta[o, 1] + Y[o, 1, 0] * j0 + Y[o, 1, 1] * j1 + Y[o, 1, 2] * j2
    s2 += beta[o, 2] + Y[o, 2, 0] * j0 + Y[o, 2, 1] * j1 + Y[o, 2, 2] * j2
    for c in range(groups[joint, COUNT]):
        x[members[groups[joint, FIRST] + c]] = (base[joint, c, 0] * s0 + base[joint, c, 1] * s1
                                                + base[joint, c, 2] * s2)
    row = fc
    for h in range(articles[A, HANDLES]):
        if h == ja:
            f[fa + h, 0], f[fa + h, 1], f[fa + h, 2] = -j0, -j1, -j2
        else:
            f[fa + h, 0], f[fa + h, 1], f[fa + h, 2] = f[row, 0], f[row, 1], f[row, 2]
            row += 1
    for h in range(articles[B, HANDLES]):
        if h == jb:
            f[fb + h, 0], f[fb + h, 1], f[fb + h, 2] = j0, j1, j2
        else:
            f[fb + h, 0], f[fb + h, 1], f[fb + h, 2] = f[row, 0], f[row, 1], f[row, 2]
            row += 1
