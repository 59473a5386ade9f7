"""Threads, forks and interpreters that end: what many programs do at once."""

import multiprocessing
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np

import sinew


def test_other_threads_run_while_a_long_call_works(walk):
    times = np.linspace(0, walk.duration, 200_000)
    ticks = []
    done = threading.Event()

    def count():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    begun = time.perf_counter()
    walk.sample(times, space="model")
    ended = time.perf_counter()
    done.set()
    other.join()
    # With the lock held there would be none in between.
    assert any(begun < tick < ended for tick in ticks)


def test_many_threads_sample_one_clip(walk):
    expected = walk.sample(rate=60)
    found = []
    threads = [threading.Thread(target=lambda: found.append(walk.sample(rate=60))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and all(np.array_equal(array, expected) for array in found)


def sampled_in_child(rate):
    return sinew.open("ossi").clips["walk"].sample(np.linspace(0, 1, 2000)).sum()


def test_a_forked_process_samples_too(walk):
    # The parent has used its threads already: a child that waited for them would wait for ever.
    walk.sample(np.linspace(0, 1, 2000))
    with multiprocessing.get_context("fork").Pool(2) as pool:
        sums = pool.map_async(sampled_in_child, [30, 60]).get(timeout=60)
    assert sums[0] == sums[1]


def run(code):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60)


def test_an_interpreter_may_end_while_threads_work():
    done = run(
        """
        import threading, numpy as np, sinew
        walk = sinew.open("ossi").clips["walk"]
        def work():
            while True:
                walk.sample(np.linspace(0, 1, 20000), space="model")
        for _ in range(3):
            threading.Thread(target=work, daemon=True).start()
        """
    )
    assert done.returncode == 0, done.stderr


def test_the_module_needs_no_graphics_to_be_imported():
    done = run(
        """
        import sys, sinew
        maps = open("/proc/self/maps").read() if sys.platform == "linux" else ""
        assert not [name for name in ("libvulkan", "libEGL", "libGL.", "libX11", "libwayland") if name in maps]
        """
    )
    assert done.returncode == 0, done.stderr
