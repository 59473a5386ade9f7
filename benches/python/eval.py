#!/usr/bin/env python3
"""What `sinew eval` prints, through the Python package: joint matrices and skinned vertices at given times, as JSON.

usage: eval.py eval FILE [--anim FILE]… [--clip NAME-OR-NUMBER] [--at SECONDS]…

So that whatever compares the command with other programs' numbers can compare the package in the same way. `info` prints the notes.
"""

import argparse
import json
import os
import sys

import numpy as np

import sinew


def columns(matrices):
    """4 × 4 matrices as 16 numbers, column by column."""
    return [matrix.T.ravel().tolist() for matrix in matrices.astype(np.float64)]


def vertices(model, clip, times):
    """The vertices of every primitive at every time."""
    frames = clip.skin(times) if clip is not None else model.vertices[None]
    parts = [(mesh["first"], mesh["first"] + mesh["vertices"]) for mesh in model.meshes]
    return [[frame[a:b].ravel().astype(np.float64).tolist() for a, b in parts] for frame in frames]


def evaluate(model, chosen, times):
    clip = None
    if chosen is not None:
        number = int(chosen) if chosen.isdigit() and int(chosen) < len(model.clips) else None
        clip = model.clips[chosen if number is None else number]
    times = times or [0.0]
    if clip is None:
        times = [0.0]
        nodes = model.skeleton.rest_model[None]
    else:
        nodes = clip.sample(times, space="model", form="matrix")
    skinned = vertices(model, clip, times)
    names = model.skeleton.names
    return {
        "format": model.format,
        "file_from_world": columns(model.file_from_world[None])[0],
        "clips": [{"name": c.name, "start": c.start, "duration": c.duration} for c in model.clips],
        "joints": [
            {"name": name, "node": at, "parent": int(parent)}
            for at, (name, parent) in enumerate(zip(names, model.skeleton.parents))
        ],
        "meshes": [{key: mesh[key] for key in ("name", "vertices", "skinned")} for mesh in model.meshes],
        "poses": [
            {"clip": clip.name if clip else None, "time": time, "nodes": columns(frame), "positions": positions}
            for time, frame, positions in zip(times, nodes, skinned)
        ],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["eval", "info"])
    parser.add_argument("file")
    parser.add_argument("--anim", action="append", default=[])
    parser.add_argument("--clip")
    parser.add_argument("--at", action="append", type=float, default=[])
    args = parser.parse_args()
    # Others compare these numbers: the same bits on every machine.
    sinew.set_deterministic(True)
    try:
        model = sinew.open(args.file, clips=args.anim, images=False)
    except (sinew.ReadError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
    if args.command == "info":
        print(f"Notes ({len(model.notes)})\n" + "\n".join(model.notes))
        return
    json.dump(evaluate(model, args.clip, args.at), sys.stdout)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
