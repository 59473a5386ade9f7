"""Folder trees: all tasks, resumed, with a bad file among them."""

import json
import sys

import numpy as np
import pytest

import sinew


@pytest.fixture()
def tree(tmp_path):
    folder = tmp_path / "in"
    (folder / "deep").mkdir(parents=True)
    ossi = sinew.open("ossi")
    sinew.save(ossi.clips["walk"], folder / "walk.bvh")
    sinew.save(ossi.clips["run"], folder / "deep" / "run.bvh")
    (folder / "bad.bvh").write_text("HIERARCHY nonsense")
    return folder


@pytest.mark.parametrize(
    "task,options,output",
    [
        ("convert", dict(format="glb"), "deep/run.glb"),
        ("retarget", dict(onto="ossi", format="bvh", rate=30), "deep/run.bvh"),
        ("check", {}, None),
        ("pack", dict(error=0.001), "deep/run.sinewclip"),
        ("render", dict(size=(48, 32)), "deep/run.png"),
        ("sample", dict(rate=30), "deep/run.npz"),
    ],
)
def test_every_task_does_the_good_files_and_lists_the_bad_one(tree, tmp_path, task, options, output):
    report = sinew.batch(task, tree, tmp_path / "out", **options)
    assert (report.count("done"), report.count("failed")) == (2, 1)
    assert report.failed[0][0] == "bad.bvh" and "bad.bvh" in report.failed[0][1]
    assert output is None or (tmp_path / "out" / output).is_file()
    again = sinew.batch(task, tree, tmp_path / "out", **options)
    assert (again.count("done"), again.count("skipped"), again.count("failed")) == (0, 2, 1)


def test_samples_are_the_clip_s_own(tree, tmp_path):
    sinew.batch("sample", tree, tmp_path / "out", rate=30)
    with np.load(tmp_path / "out" / "walk.npz") as data:
        clip = sinew.open(tree / "walk.bvh").clips[0]
        assert np.allclose(data["local"], clip.sample(rate=30, form="trs"), atol=1e-6)
        assert data["names"].tolist() == clip.skeleton.names
        assert data["parents"].tolist() == clip.skeleton.parents.tolist()


def test_a_batch_that_was_stopped_goes_on(tree, tmp_path):
    def stop(file, finished, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sinew.batch("sample", tree, tmp_path / "out", progress=stop)
    seen = []
    report = sinew.batch("sample", tree, tmp_path / "out", progress=lambda *now: seen.append(now))
    assert len(report.rows) == 3 and report.unfinished == 0
    assert sorted(now[1] for now in seen) == [1, 2, 3] and {now[2] for now in seen} == {3}


@pytest.mark.parametrize("ending", ["json", "csv", "parquet"])
def test_reports_are_written_for_other_programs(tree, tmp_path, ending):
    path = tmp_path / f"report.{ending}"
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    sinew.batch("retarget", tree, tmp_path / "out", onto="ossi", report=path)
    if ending == "json":
        assert len(json.loads(path.read_text())["rows"]) == 3
    if ending == "csv":
        assert path.read_text().count("\n") == 4
    if ending == "parquet":
        import pyarrow.parquet as pq

        assert {"file", "status", "foot_slide"} <= set(pq.read_table(path).column_names)


def test_a_report_that_cannot_be_written_is_refused_before_anything_is_done(tree, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match=r"report: \"report.parquet\" needs pyarrow: pip install \"sinew-anim\[batch\]\""):
        sinew.batch("sample", tree, tmp_path / "out", report=tmp_path / "report.parquet")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "arguments,message",
    [
        (dict(task="cook"), 'task: expected "convert", .* found "cook"'),
        (dict(task="convert", format="doc"), 'format: expected "glb", .* found "doc"'),
        (dict(task="retarget"), "onto: expected the file of a character"),
        (dict(task="sample", rate=-1), "rate: expected frames a second above 0, found -1"),
        (dict(task="check", report="x.doc"), "report: expected a name that ends in"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_done(tree, tmp_path, arguments, message):
    with pytest.raises(ValueError, match=message):
        sinew.batch(folder=tree, out=tmp_path / "out", **arguments)
    assert not (tmp_path / "out").exists()


def test_a_folder_that_is_not_there_is_an_os_error(tmp_path):
    with pytest.raises(OSError, match="cannot read"):
        sinew.batch("check", tmp_path / "nothing", tmp_path / "out")
