"""Compares what Sinew reads with what Blender itself says of the same rig.

usage: test_sinew.py SINEW DIR

DIR is where test_export.py has put its rigs: RIG/RIG.mesh, RIG.weight, RIG.skeleton_anim and
expected.json, with Blender's own pose matrices and deformed vertices. Every frame and every vertex
is compared. The two-bone rig is held against the numbers of the text that the format comes from too.
"""
import json
import math
import os
import subprocess
import sys

# Single precision through chains of a few bones a few metres long.
TOLERANCE = 1e-4


def evaluate(sinew, *arguments):
    done = subprocess.run([sinew, "eval", *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"FAIL sinew eval {' '.join(arguments)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def worst(pairs):
    return max((abs(a - b) for ours, theirs in pairs for a, b in zip(ours, theirs, strict=True)), default=0.0)


def check_rig(sinew, folder, rig):
    with open(os.path.join(folder, "expected.json"), encoding="utf8") as file:
        expected = json.load(file)
    stem = os.path.join(folder, rig)
    frames, shapes = expected["frames"], expected["positions"]
    model = [stem + ".mesh", "--anim", stem + ".skeleton_anim", "--clip", "0"]
    found = evaluate(sinew, *model, *(f"--at={frame['time']:.9g}" for frame in frames))
    names = [joint["name"] for joint in found["joints"]]
    at = [names.index(name) for name in expected["bones"]]
    bones = max(
        worst((pose["nodes"][index], matrix) for index, matrix in zip(at, frame["matrices"], strict=True))
        for pose, frame in zip(found["poses"], frames, strict=True)
    )
    found = evaluate(sinew, *model, *(f"--at={shape['time']:.9g}" for shape in shapes))
    slack = 0.0
    for pose, shape in zip(found["poses"], shapes, strict=True):
        flat = [number for mesh in pose["positions"] for number in mesh]
        points = [number for point in shape["points"] for number in point]
        # Sinew keeps the file's order; vertices that it splits for normals come after.
        slack = max(slack, worst([(flat[:len(points)], points)]) - shape["tolerance"])
    good = bones <= TOLERANCE and slack <= TOLERANCE
    print(f"{'ok  ' if good else 'FAIL'} {rig}: {len(frames)} frames, bones within {bones:.1e}, "
          f"vertices within {max(slack, 0.0):.1e} of what rounding allows")
    return good


def check_log(sinew, folder):
    """Frame 20 as the text that describes the format logs it."""
    stem = os.path.join(folder, "two_bones")
    found = evaluate(sinew, stem + ".skeleton_anim", "--clip", "0", f"--at={19 / 24:.9g}")
    names = [joint["name"] for joint in found["joints"]]
    nodes = found["poses"][0]["nodes"]
    cos, sin = math.cos(math.radians(30)), math.sin(math.radians(30))
    first = [cos, -sin, 0, 0, sin, cos, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    second = [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 1.732051, 0, 1]
    error = worst([(nodes[names.index("Bone")], first), (nodes[names.index("Bone.001")], second)])
    good = error <= 1e-5
    print(f"{'ok  ' if good else 'FAIL'} two_bones: frame 20 of the log within {error:.1e}")
    return good


def main():
    sinew, folder = sys.argv[1:]
    rigs = sorted(name for name in os.listdir(folder)
                  if os.path.exists(os.path.join(folder, name, "expected.json")))
    results = [check_rig(sinew, os.path.join(folder, rig), rig) for rig in rigs]
    results.append(check_log(sinew, os.path.join(folder, "two_bones")))
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    sys.exit(0 if results and all(results) else 1)


main()
