"""A library on a real local Ray: a broken file, and a worker that is killed on the way."""

import os
import signal

import numpy as np
import pytest

import sinew

ray = pytest.importorskip("ray")
import sinew.ray  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=200 * 2**20)
    yield
    ray.shutdown()


@pytest.fixture()
def library(tmp_path):
    ossi = sinew.open("ossi")
    texts = [clip.encode("bvh", rate=30)[0] for clip in ossi.clips]
    for number in range(20):
        (tmp_path / f"{number:02}.bvh").write_bytes(texts[number % len(texts)])
    (tmp_path / "broken.bvh").write_text("HIERARCHY\nROOT hips\n{\n  OFFSET 0 zero 0\n}\n")
    return tmp_path


def test_files_become_rows_and_a_broken_one_says_why(library):
    rows = sinew.ray.sample(sinew.ray.read_files(library), rate=30).materialize()
    assert rows.count() == 21
    [(file, why)] = sinew.ray.failures(rows)
    assert file.endswith("broken.bvh") and "expected three numbers after OFFSET" in why
    row = next(row for row in rows.take_all() if row["clip"] and not row["error"])
    clip = sinew.open(row["file"]).clips[0]
    assert np.array_equal(sinew.ray.array(row), clip.sample(rate=30))


def test_retargeted_windows_are_read_back_from_parquet(library, tmp_path_factory):
    out = tmp_path_factory.mktemp("windows")
    rows = sinew.ray.retarget(sinew.ray.read_files(library), onto="ossi", rate=30, concurrency=1)
    sinew.ray.windows(rows, length=16, step=8).write_parquet(os.fspath(out))
    windows = sinew.ray.read_windows(out)
    assert windows.shape[1:] == (16, 53, 7) and len(windows) > 20
    assert np.allclose(np.linalg.norm(windows[..., 3:], axis=-1), 1, atol=1e-4)


def test_a_killed_worker_loses_nothing(library, tmp_path_factory):
    marker = os.fspath(tmp_path_factory.mktemp("killed") / "once")

    def kill_once(table):
        """Kills the worker that first meets a certain file."""
        if any(path.endswith("07.bvh") for path in table.column("path").to_pylist()) and not os.path.exists(marker):
            open(marker, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return table

    files = sinew.ray.read_files(library, parallelism=4).map_batches(kill_once, batch_format="pyarrow", batch_size=8)
    rows = sinew.ray.sample(files, rate=30).materialize()
    assert os.path.exists(marker), "nobody was killed"
    assert rows.count() == 21 and len(sinew.ray.failures(rows)) == 1


def test_wrong_windows_are_refused(library):
    with pytest.raises(ValueError, match="at least 1"):
        sinew.ray.windows(sinew.ray.sample(sinew.ray.read_files(library)), length=0)
