#!/usr/bin/env python3
"""From 1,000 BVH clips made by code to a Parquet data set of windows that a PyTorch loader reads, with Ray Data.

usage: library.py [FOLDER] [--clips 1000] [--workers 2] [--onto FILE]

Retargets every clip onto one character, so that all windows have the same joints. One file is broken on purpose: it is listed, and the
rest goes on.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

import numpy as np

import sinew


def make_library(folder: Path, count: int) -> None:
    """Clips like those of a library: each the built-in character's motion at its own speed and size, as BVH; and one broken file."""
    folder.mkdir(parents=True, exist_ok=True)
    ossi = sinew.open("ossi", images=False)
    made = {}
    for clip in ossi.clips:
        local = clip.sample(rate=60)
        made[clip.name] = [sinew.Clip.from_arrays(ossi.skeleton, local, rate=rate, name=clip.name) for rate in (45, 60, 75)]
    texts = [clip.encode("bvh", rate=60, scale=scale)[0] for clips in made.values() for clip in clips for scale in (1.0, 0.9)]
    for number in range(count):
        (folder / f"{number:04}.bvh").write_bytes(texts[number % len(texts)])
    (folder / "broken.bvh").write_text("HIERARCHY\nROOT hips\n{\n  OFFSET 0 zero 0\n}\n")


class Windows:
    """A data set as `torch.utils.data.DataLoader` takes it: it knows its length, and gives an item by number."""

    def __init__(self, folder: Path) -> None:
        import sinew.ray

        self.windows = sinew.ray.read_windows(folder)

    def __len__(self) -> int:
        return len(self.windows)

    def __getitem__(self, index: int) -> np.ndarray:
        return self.windows[index]


def loader(data: Windows, size: int, seed: int = 0):
    """Batches in random order: PyTorch's own loader where it is installed, else the same in numpy."""
    try:
        import torch

        yield from torch.utils.data.DataLoader(data, batch_size=size, shuffle=True)
    except ImportError:
        order = np.random.default_rng(seed).permutation(len(data))
        for start in range(0, len(order), size):
            yield np.stack([data[at] for at in order[start : start + size]])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--clips", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--onto", default="ossi")
    args = parser.parse_args()
    folder = args.folder or Path(tempfile.mkdtemp(prefix="sinew-library-"))
    make_library(folder / "bvh", args.clips)

    import ray

    import sinew.ray

    # Workers share the cores: each takes one. One more is for reading and writing, which wait for the disk.
    environment = {"env_vars": {"RAYON_NUM_THREADS": "1"}}
    ray.init(num_cpus=args.workers + 1, include_dashboard=False, log_to_driver=False, runtime_env=environment)
    begun = time.perf_counter()
    files = sinew.ray.read_files(folder / "bvh")
    rows = sinew.ray.retarget(files, onto=args.onto, rate=30, concurrency=args.workers).materialize()
    sinew.ray.windows(rows, length=16, step=8).write_parquet(os.fspath(folder / "windows"))
    seconds = time.perf_counter() - begun
    print(f"{args.clips + 1} files in {seconds:.1f} s: {(args.clips + 1) / seconds:.0f} files a second with {args.workers} workers")
    for file, why in sinew.ray.failures(rows):
        print(f"failed: {file}: {why}")
    data = Windows(folder / "windows")
    batches = sum(1 for _ in loader(data, 64))
    print(f"{len(data)} windows of {data[0].shape} in {batches} batches, from {folder / 'windows'}")


if __name__ == "__main__":
    main()
