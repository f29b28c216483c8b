"""Turns of space as quaternions of length 1, with the real part last.

Where an angle is small, a series stands for what is divided by it, as in SciPy; all of it is in squares, so that
derivatives of all orders are right where there is no turn at all.
"""
import numpy as np

from gradscribe import runtime as rt

from .registry import ensure, known, moving_as, refuse

DEGREES = "it says what angles are"
SMALL = 1e-3  # where SciPy has its series


def floats(x):
    x = np.asarray(x)
    if x.dtype.kind not in "fiub":
        refuse(f"a rotation by {x.dtype}", "Give it real numbers: z.real, z.imag.")
    return x.astype(float)


def in_degrees(angles, degrees):
    return angles * (180.0 / np.pi) if known(degrees, DEGREES) else angles


def in_radians(angles, degrees):
    return angles * (np.pi / 180.0) if known(degrees, DEGREES) else angles


def within_a_turn(angles):
    """Angles of less than two turns as those between -pi and pi."""
    return np.where(angles < -np.pi, angles + 2 * np.pi, np.where(angles > np.pi, angles - 2 * np.pi, angles))


def one_or_rows(x, width, name, shapes):
    """An array of floats with one row, or with several."""
    x = floats(x)
    if x.ndim == 0 or x.shape[-1] != width:
        raise ValueError(f"Expected `{name}` to have shape {shapes}, got {x.shape}")
    if x.ndim > 2:
        refuse("rotations along more than one axis", "Reshape it to rows: x.reshape(-1, x.shape[-1]).")
    return x


def of_length_one(q):
    """Quaternions are divided by their lengths, which are not 0."""
    square = np.sum(q * q, -1, keepdims=True)
    if np.any(square == 0):
        raise ValueError("Found zero norm quaternions in `quat`.")
    return q / np.sqrt(square)


def product_of(p, q):
    """The product of quaternions: the turn q, and then p."""
    a, b, c, w = [p[..., k] for k in range(4)]
    x, y, z, v = [q[..., k] for k in range(4)]
    return np.stack([w * x + v * a + b * z - c * y, w * y + v * b + c * x - a * z, w * z + v * c + a * y - b * x,
                     w * v - a * x - b * y - c * z], -1)


def canonical_of(q):
    """Of the two quaternions of a turn the one whose last number that is not 0 is positive, from the real part on."""
    x, y, z, w = [q[..., k:k + 1] for k in range(4)]
    first = np.where(w != 0, w, np.where(x != 0, x, np.where(y != 0, y, z)))
    return np.where(first < 0, -q, q)


def quaternion_of(v):
    """The quaternion of a turn about a vector, by an angle that is as large as the vector is long."""
    square = np.sum(v * v, -1, keepdims=True)
    small = square <= SMALL ** 2
    t, angle = np.where(small, square, 0.0), np.sqrt(np.where(small, 1.0, square))
    scale = np.where(small, 0.5 - t / 48 + t * t / 3840, np.sin(angle / 2) / angle)
    real = np.where(small, 1.0 - t / 8 + t * t / 384 - t * t * t / 46080, np.cos(angle / 2))
    return np.concatenate([scale * v, real], -1)


def axes_of(seq):
    """(the axes of a text such as "zyx", is each turned with what turned before?)"""
    if len(seq) < 1 or len(seq) > 3:
        raise ValueError(f"Expected axis specification to be a non-empty string of upto 3 characters, got {seq}")
    intrinsic = all([c in "XYZ" for c in seq])
    if not intrinsic and not all([c in "xyz" for c in seq]):
        raise ValueError(f"Expected axes from `seq` to be from ['x', 'y', 'z'] or ['X', 'Y', 'Z'], got {seq}")
    if any([a == b for a, b in zip(seq, seq[1:])]):
        raise ValueError(f"Expected consecutive axes to be different, got {seq}")
    return ["xyz".index(c) for c in seq.lower()], intrinsic


def nearest_turn(m):
    """The nearest matrix that only turns. What is one already SciPy leaves as it is, to rounding; its derivative is
    that of the nearest one nevertheless, which what lies beside it has."""
    found, steps, change = m, 0, np.float64(1.0)
    while steps < 60 and change > 1e-14:
        after = step_to_turn(found)
        found, steps, change = after, steps + 1, np.max(np.abs(rt.stop_gradient(after - found)))
    ensure(change <= 1e-14, "Rotation.from_matrix of what is nearly singular: orthogonalise it before")
    found = step_to_turn(step_to_turn(found))
    error = np.abs(m @ np.swapaxes(m, -1, -2) - np.eye(3))
    good = np.all(error <= 1e-12 + 1e-5 * np.eye(3), (-2, -1))[..., None, None]
    return np.where(good, moving_as(rt.stop_gradient(m), found), found)


def step_to_turn(m):
    """Newton's method for the root of a matrix that is its own transposed inverse."""
    return (m + np.swapaxes(np.linalg.inv(m), -1, -2)) / 2


def of_turn(m):
    """The quaternion of a matrix that only turns: by its largest number, by which the others are divided."""
    trace = m[..., 0, 0] + m[..., 1, 1] + m[..., 2, 2]
    largest = np.argmax(np.stack([m[..., 0, 0], m[..., 1, 1], m[..., 2, 2], trace], -1), -1)[..., None]

    def of_axis(i, j, k):
        parts = {i: 1 - trace + 2 * m[..., i, i], j: m[..., j, i] + m[..., i, j], k: m[..., k, i] + m[..., i, k]}
        return np.stack([parts[0], parts[1], parts[2], m[..., k, j] - m[..., j, k]], -1)

    real = np.stack([m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1],
                     1 + trace], -1)
    q = np.where(largest == 0, of_axis(0, 1, 2), np.where(largest == 1, of_axis(1, 2, 0),
                                                          np.where(largest == 2, of_axis(2, 0, 1), real)))
    return of_length_one(q)
