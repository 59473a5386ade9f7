#!/usr/bin/env python3
"""Writes the desk lamp of examples/assets: a model of four meshes on one skeleton, and a motion, both as MD5 text.

    python3 tools/make_lamp.py examples/assets
"""
import math
import sys

# Name, parent, place in the file's space (Z up, metres). No joint is turned at rest.
JOINTS = [
    ("base", -1, (0.0, 0.0, 0.0)),
    ("lower arm", 0, (0.0, 0.0, 0.05)),
    ("upper arm", 1, (-0.16, 0.0, 0.33)),
    ("head", 2, (0.14, 0.0, 0.55)),
]
BASE, LOWER, UPPER, HEAD = range(4)
FRAMES, RATE = 48, 24


def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def sub(a, b):
    return tuple(x - y for x, y in zip(a, b))


def mix(a, b, share):
    return tuple(x + (y - x) * share for x, y in zip(a, b))


class Mesh:
    """Rings of points, each ring pulled by joints with shares."""

    def __init__(self, shader):
        self.shader, self.points, self.triangles = shader, [], []

    def ring(self, middle, across, radius, pulls, sides=12):
        """A circle spanned by `across` and the y axis; the number of its first point."""
        first = len(self.points)
        for side in range(sides):
            angle = 2 * math.pi * side / sides
            out = tuple(radius * math.cos(angle) * value for value in across)
            point = add(middle, (out[0], out[1] + radius * math.sin(angle), out[2]))
            self.points.append((point, (side / sides, 0.0), pulls))
        return first

    def skin(self, a, b, sides=12):
        """Triangles between two rings."""
        for side in range(sides):
            other = (side + 1) % sides
            self.triangles += [(a + side, b + side, a + other), (a + other, b + side, b + other)]

    def cap(self, ring, middle, pulls, sides=12):
        """Closes a ring."""
        self.points.append((middle, (0.5, 0.5), pulls))
        top = len(self.points) - 1
        for side in range(sides):
            self.triangles.append((ring + side, top, ring + (side + 1) % sides))

    def text(self):
        lines = ["mesh {", f'\tshader "{self.shader}"', "", f"\tnumverts {len(self.points)}"]
        weights = []
        for index, (point, (u, v), pulls) in enumerate(self.points):
            lines.append(f"\tvert {index} ( {u:.4f} {v:.4f} ) {len(weights)} {len(pulls)}")
            for joint, share in pulls:
                x, y, z = sub(point, JOINTS[joint][2])
                weights.append(f"{joint} {share:.4f} ( {x:.5f} {y:.5f} {z:.5f} )")
        lines += ["", f"\tnumtris {len(self.triangles)}"]
        lines += [f"\ttri {i} {a} {b} {c}" for i, (a, b, c) in enumerate(self.triangles)]
        lines += ["", f"\tnumweights {len(weights)}"]
        lines += [f"\tweight {i} {weight}" for i, weight in enumerate(weights)]
        return "\n".join(lines + ["}", ""])


def stack(shader, rings, closed):
    """Rings one above the other: (middle, across, radius, pulls)."""
    mesh = Mesh(shader)
    firsts = [mesh.ring(*ring) for ring in rings]
    for below, above in zip(firsts, firsts[1:]):
        mesh.skin(below, above)
    if closed:
        middle, _, _, pulls = rings[-1]
        mesh.cap(firsts[-1], middle, pulls)
    return mesh


def meshes():
    flat, only = (1.0, 0.0, 0.0), lambda joint: [(joint, 1.0)]
    base = [((0, 0, z), flat, r, only(BASE)) for z, r in [(0, 0.15), (0.02, 0.15), (0.035, 0.12), (0.05, 0.03)]]
    yield stack("lamp/base", base, True)
    elbow = JOINTS[UPPER][2]
    arms = []
    for start, end, joint in [(JOINTS[LOWER][2], elbow, LOWER), (elbow, JOINTS[HEAD][2], UPPER)]:
        way = sub(end, start)
        long = math.hypot(way[0], way[2])
        across = (way[2] / long, 0.0, -way[0] / long)
        for step in range(9):
            share = step / 8
            # Near the elbow both arms pull.
            near = max(0.0, share - 0.75) * 2 if joint == LOWER else max(0.0, 0.25 - share) * 2
            other = UPPER if joint == LOWER else LOWER
            pulls = [(joint, 1 - near), (other, near)] if near else only(joint)
            if not (joint == UPPER and step == 0):
                arms.append((mix(start, end, share), across, 0.018, pulls))
    yield stack("lamp/arms", arms, True)
    # The shade looks down and forward from the head.
    head, along = JOINTS[HEAD][2], (0.6, 0.0, -0.8)
    across = (0.8, 0.0, 0.6)
    at = lambda far: add(head, tuple(far * value for value in along))
    cone = [(-0.05, 0.001), (-0.05, 0.035), (0.02, 0.045), (0.15, 0.13), (0.145, 0.122), (0.02, 0.03)]
    # Rings run against the way of the arms: from the back of the shade to its mouth, then inside again.
    yield stack("lamp/shade", [(at(far), across, r, only(HEAD)) for far, r in reversed(cone)], False)
    bulb = [(0.16, 0.001), (0.15, 0.025), (0.12, 0.045), (0.09, 0.045), (0.05, 0.03)]
    yield stack("lamp/bulb", [(at(far), across, r, only(HEAD)) for far, r in bulb], True)


def model():
    parts = list(meshes())
    lines = ["MD5Version 10", 'commandline "made by tools/make_lamp.py"', ""]
    lines += [f"numJoints {len(JOINTS)}", f"numMeshes {len(parts)}", "", "joints {"]
    for name, parent, (x, y, z) in JOINTS:
        lines.append(f'\t"{name}" {parent} ( {x} {y} {z} ) ( 0 0 0 )')
    return "\n".join(lines + ["}", ""]) + "\n" + "\n".join(mesh.text() for mesh in parts)


def motion():
    lines = ["MD5Version 10", 'commandline "made by tools/make_lamp.py"', ""]
    lines += [f"numFrames {FRAMES}", f"numJoints {len(JOINTS)}", f"frameRate {RATE}"]
    lines += ["numAnimatedComponents 4", "", "hierarchy {"]
    # 32: only a turn about z; 16: only one about y.
    flags = [32, 16, 16, 16]
    for index, (name, parent, _) in enumerate(JOINTS):
        lines.append(f'\t"{name}" {parent} {flags[index]} {index}')
    lines += ["}", "", "bounds {"] + ["\t( -0.4 -0.4 0 ) ( 0.5 0.4 0.8 )"] * FRAMES + ["}", "", "baseframe {"]
    for _, parent, place in JOINTS:
        x, y, z = sub(place, JOINTS[parent][2]) if parent >= 0 else place
        lines.append(f"\t( {x:.5f} {y:.5f} {z:.5f} ) ( 0 0 0 )")
    lines.append("}")
    for frame in range(FRAMES):
        turn = 2 * math.pi * frame / (FRAMES - 1)
        degrees = [40 * math.sin(turn), 22 * math.sin(turn), -30 * math.sin(turn + 0.6), 35 * math.sin(2 * turn)]
        # Filed rotations have a negative real part, so a turn is filed with the other sign.
        values = [-math.sin(math.radians(angle) / 2) for angle in degrees]
        lines += ["", f"frame {frame} {{", "\t" + " ".join(f"{value:.6f}" for value in values), "}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    folder = sys.argv[1]
    with open(f"{folder}/lamp.md5mesh", "w") as file:
        file.write(model())
    with open(f"{folder}/lamp.md5anim", "w") as file:
        file.write(motion())
