#!/usr/bin/env python3
"""How fast Sinew reads and samples, beside other packages, on the same files; how fast it retargets.

usage: speed.py [FOLDER] [--runs N] [--own PROGRAM]

FOLDER has files to read; without it, files made by code: a BVH of 10,000 frames and 67 joints, and the built-in character. Other
packages are measured where they are installed: bvhio, pybvh, trimesh, pygltflib, bpy. Figures are the best of N runs, of one where that takes
longer than ten seconds. What is compared is what a person wants from a file: of a BVH, where every joint is at every frame; of
a GLB or FBX, its meshes and clips.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

import sinew

FRAMES = 10_000
# A job that takes longer is done once; seconds.
LONG = 10.0


def best(job, runs, clock=time.perf_counter):
    """The best time of a job in seconds; why it failed, where it did."""
    times = []
    for _ in range(runs):
        begun = clock()
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                job()
        except Exception as error:  # whatever another package raises
            return f"{type(error).__name__}: {error}"[:60]
        times.append(clock() - begun)
        if times[-1] > LONG:
            break
    return min(times)


def with_sinew(path):
    for clip in sinew.open(path, images=False).clips:
        clip.sample(space="model", form="matrix")


def with_bvhio(path):
    bvhio = importlib.import_module("bvhio")
    root = bvhio.readAsHierarchy(str(path))
    for frame in range(*root.getKeyframeRange()):
        root.loadPose(frame, recursive=True)
        [joint.PositionWorld for joint, _, _ in root.layout()]


def with_pybvh(path):
    pybvh = importlib.import_module("pybvh")
    bvh = pybvh.read_bvh_file(path)
    bvh.get_spatial_coord() if hasattr(bvh, "get_spatial_coord") else bvh.joint_positions()


def with_trimesh(path):
    importlib.import_module("trimesh").load(str(path))


def with_pygltflib(path):
    """Reads the buffers of every accessor; it does not interpolate, skin or compose."""
    library = importlib.import_module("pygltflib")
    file = library.GLTF2().load(str(path))
    blob = file.binary_blob()
    kinds = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
    widths = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
    for accessor in file.accessors:
        view = file.bufferViews[accessor.bufferView]
        start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
        np.frombuffer(blob, kinds[accessor.componentType], accessor.count * widths[accessor.type], start).copy()


def with_bpy(path):
    bpy = importlib.import_module("bpy")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if path.suffix == ".bvh":
        bpy.ops.import_anim.bvh(filepath=str(path))
        armature = bpy.context.object
        for frame in range(int(armature.animation_data.action.frame_range[1])):
            bpy.context.scene.frame_set(frame)
            [bone.matrix.copy() for bone in armature.pose.bones]
    elif path.suffix == ".fbx":
        bpy.ops.import_scene.fbx(filepath=str(path))
    else:
        bpy.ops.import_scene.gltf(filepath=str(path))


PACKAGES = {
    "sinew": (with_sinew, (".bvh", ".glb", ".fbx")),
    "bvhio": (with_bvhio, (".bvh",)),
    "pybvh": (with_pybvh, (".bvh",)),
    "trimesh": (with_trimesh, (".glb",)),
    "pygltflib": (with_pygltflib, (".glb",)),
    "bpy": (with_bpy, (".bvh", ".glb", ".fbx")),
}


def made_by_code(folder):
    """A skeleton of 67 joints in chains, 10,000 frames and 500; the built-in character."""
    for frames in (10_000, 500):
        (folder / f"chain_{frames}.bvh").write_text(chains(67, frames))
    ossi = sinew.open("ossi")
    sinew.save(ossi, folder / "ossi.glb")
    sinew.save(ossi, folder / "ossi.fbx")


def chains(joints, frames):
    """A root with chains of eleven joints each."""
    lines = ["HIERARCHY", "ROOT j0", "{", "OFFSET 0 0 0", "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"]
    number = 1
    while number < joints:
        count = min(11, joints - number)
        for _ in range(count):
            lines += [f"JOINT j{number}", "{", "OFFSET 0 10 1", "CHANNELS 3 Zrotation Xrotation Yrotation"]
            number += 1
        lines += ["End Site", "{", "OFFSET 0 5 0", "}", *["}"] * count]
    lines += ["}", "MOTION", f"Frames: {frames}", "Frame Time: 0.0083333"]
    time_ = np.arange(frames)[:, None] / 120
    angles = 30 * np.sin(time_ * (1 + np.arange(3 * joints) % 7) + np.arange(3 * joints))
    numbers = np.concatenate([np.zeros((frames, 3)), angles], axis=1)
    text = io.StringIO()
    np.savetxt(text, numbers, fmt="%.4f")
    return "\n".join(lines) + "\n" + text.getvalue()


def installed(name):
    try:
        importlib.import_module(name)
        return True
    except ImportError:
        return False


def reading(files, runs):
    names = [name for name in PACKAGES if installed(name)]
    print("| file | " + " | ".join(names) + " |\n|---|" + "---:|" * len(names))
    for path in files:
        cells = []
        for name in names:
            job, endings = PACKAGES[name]
            if path.suffix not in endings:
                cells.append("–")
            else:
                took = best(lambda job=job: job(path), runs)
                cells.append(took if isinstance(took, str) else f"{1000 * took:,.1f} ms")
        print(f"| {path.name} ({path.stat().st_size / 1e6:.1f} MB) | " + " | ".join(cells) + " |", flush=True)


def sampling(path, runs, own):
    """`clip.sample` beside the library's own, in turns, so that both meet the same machine. For `own`, set RAYON_NUM_THREADS=1."""
    clip = sinew.open(path).clips[0]
    times = np.linspace(0, clip.duration, FRAMES)
    jobs = {"local, quaternions": dict(), "in the model, matrices": dict(space="model", form="matrix")}
    took, took_own = [], []
    for _ in range(runs):
        row = []
        for options in jobs.values():
            out = clip.sample(times, **options)
            row.append(best(lambda: clip.sample(times, out=out, **options), 10, time.process_time))
            row.append(best(lambda: clip.sample(times, **options), 10, time.process_time))
        took.append(row)
        if own:
            printed = subprocess.check_output([own, path, str(FRAMES), "10"])
            took_own.append([float(number) for number in printed.split()])
    took = 1000 * np.min(took, axis=0)
    print(f"\nsample, {FRAMES:,} frames of {len(clip.skeleton)} joints, ms of a core:")
    for at, name in enumerate(jobs):
        print(f"{name}: {took[2 * at]:.2f} into an array of the caller's, {took[2 * at + 1]:.2f} into a new one")
    if own:
        local, model, kept, model_kept = 1000 * np.min(took_own, axis=0)
        print(f"the library's own: local {local:.2f}, kept {kept:.2f}, in the model {model:.2f}, kept {model_kept:.2f}")
        print(f"times the library's own: {min(took[:2]) / local:.2f} (kept {min(took[:2]) / kept:.2f}), {min(took[2:]) / model:.2f} (kept {min(took[2:]) / model_kept:.2f})")


def retargeting(runs):
    ossi = sinew.open("ossi")
    local = np.tile(ossi.clips["walk"].sample(rate=120)[:-1], (50, 1, 1))
    long = sinew.Clip.from_arrays(ossi.skeleton, local, rate=120)
    print()
    for options in (dict(plant_feet=False), dict(plant_feet=True), dict(plant_feet=True, measure=False)):
        # Seconds of a core, so that whatever else the machine does counts less.
        took = best(lambda: sinew.retarget(long, ossi, **options), runs, time.process_time)
        print(f"retarget {options}: {len(local) / took:,.0f} frames a second, {len(long.skeleton)} joints, one core")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--own", help="the program made of own.rs (cargo build --release --example own in crates/python)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        made_by_code(Path(made))
        folder = args.folder or Path(made)
        files = sorted(path for path in folder.rglob("*") if path.suffix in (".bvh", ".glb", ".fbx"))
        reading(files, args.runs)
        sampling(Path(made) / "chain_10000.bvh", args.runs, args.own)
        retargeting(args.runs)


if __name__ == "__main__":
    main()
    os._exit(0)
