#!/usr/bin/env python3
"""Files a second for a library of BVH clips that are retargeted: Ray Data beside multiprocessing, with 1 and 2 workers.

usage: library.py [--clips 300] [--workers 1 2]

The same work for both: open a file, retarget its clip onto the built-in character at 30 Hz, sample it. Starting Ray and its workers is
not counted; opening the character is. Every worker has one thread.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ["RAYON_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).parents[2] / "crates/python/examples"))

import library as example  # noqa: E402

import sinew  # noqa: E402

_onto = None


def open_character():
    global _onto
    _onto = sinew.open("ossi", images=False)


def one(path):
    try:
        clip = sinew.open(path, images=False).clips[0]
        return sinew.retarget(clip, _onto, rate=30, measure=False).sample(rate=30).nbytes
    except ValueError as error:
        return str(error)


def with_processes(paths, workers):
    with multiprocessing.get_context("spawn").Pool(workers, open_character) as pool:
        pool.map(len, [()] * workers)
        begun = time.perf_counter()
        pool.map(one, paths, chunksize=16)
        return time.perf_counter() - begun


def with_ray(folder, workers):
    import ray

    import sinew.ray

    environment = {"env_vars": {"RAYON_NUM_THREADS": "1"}}
    ray.init(num_cpus=workers + 1, include_dashboard=False, log_to_driver=False, runtime_env=environment)
    try:
        sinew.ray.retarget(sinew.ray.read_files(folder).limit(4), onto="ossi", rate=30).materialize()
        begun = time.perf_counter()
        sinew.ray.retarget(sinew.ray.read_files(folder), onto="ossi", rate=30, concurrency=workers).materialize()
        return time.perf_counter() - begun
    finally:
        ray.shutdown()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=int, default=300)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        example.make_library(Path(folder), args.clips)
        paths = sorted(Path(folder).glob("*.bvh"))
        print("| workers | multiprocessing | Ray Data |\n|---:|---:|---:|")
        for workers in args.workers:
            plain, ray = with_processes(paths, workers), with_ray(folder, workers)
            print(f"| {workers} | {len(paths) / plain:.0f} files/s | {len(paths) / ray:.0f} files/s |", flush=True)


if __name__ == "__main__":
    main()
