#!/usr/bin/env python3
"""Files a second for a library of BVH clips that are retargeted: Ray Data beside multiprocessing, with 1 and 2 workers.

usage: library.py [--clips 1000] [--workers 1 2]

The same work for both: open a file, retarget its clip onto the built-in character at 30 Hz, sample it. Every worker has one thread. Each
number of workers does the library and then five times the library: files a second are those that came with the longer run, by the seconds
that came with it, so that starting workers is not counted.
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
import ray  # noqa: E402

import sinew  # noqa: E402
import sinew.ray  # noqa: E402

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


def with_processes(folder, workers):
    paths = sorted(folder.glob("*.bvh"))
    begun = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(workers, open_character) as pool:
        pool.map(one, paths, chunksize=16)
    return time.perf_counter() - begun


def with_ray(folder, workers):
    begun = time.perf_counter()
    sinew.ray.retarget(sinew.ray.read_files(folder), onto="ossi", rate=30, concurrency=workers).materialize()
    return time.perf_counter() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=int, default=1000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        short, long = Path(folder) / "short", Path(folder) / "long"
        example.make_library(short, args.clips)
        example.make_library(long, 5 * args.clips)
        print("| workers | multiprocessing | Ray Data |\n|---:|---:|---:|")
        for workers in args.workers:
            environment = {"env_vars": {"RAYON_NUM_THREADS": "1"}}
            ray.init(num_cpus=workers + 1, include_dashboard=False, log_to_driver=False, runtime_env=environment)
            try:
                took = [way(long, workers) - way(short, workers) for way in (with_processes, with_ray)]
            finally:
                ray.shutdown()
            cells = [f"{4 * args.clips / seconds:.0f} files/s" for seconds in took]
            print(f"| {workers} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
