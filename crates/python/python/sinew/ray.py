"""Libraries of clips on many machines, with Ray Data.

Files become rows, rows become windows of frames in Parquet. `pip install "sinew-anim[ray]"`.

    import sinew.ray

    files = sinew.ray.read_files("s3://library/mocap")             # or a local folder, or any pyarrow filesystem
    rows = sinew.ray.sample(files, rate=30, joints="smpl22")       # one row per clip
    rows = sinew.ray.retarget(files, onto="hero.glb", rate=30)     # or retargeted first, by a pool of actors that hold the rig
    sinew.ray.windows(rows, length=64, step=32).write_parquet("windows")

A file that cannot be used is a row with its `error`; `failures` lists them. A worker that dies is started again by Ray, and its files are
done again: every step takes files to rows and keeps nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import sinew

try:
    import pyarrow as pa
    import ray
    import ray.data
except ImportError as error:  # pragma: no cover
    raise ImportError('sinew.ray needs Ray Data: pip install "sinew-anim[ray]"') from error

__all__ = ["failures", "read_files", "read_windows", "retarget", "sample", "windows"]

ENDINGS = ("glb", "gltf", "vrm", "fbx", "dae", "bvh", "md5mesh", "skeleton_anim", "zip")

_CLIP = pa.schema(
    [
        ("file", pa.string()),
        ("clip", pa.string()),
        ("rate", pa.float64()),
        ("frames", pa.int64()),
        ("joints", pa.int64()),
        ("width", pa.int64()),
        ("names", pa.list_(pa.string())),
        ("local", pa.binary()),
        ("error", pa.string()),
    ]
)
_WINDOW = pa.schema(
    [
        ("file", pa.string()),
        ("clip", pa.string()),
        ("start", pa.int64()),
        ("length", pa.int64()),
        ("joints", pa.int64()),
        ("width", pa.int64()),
        ("window", pa.list_(pa.float32())),
    ]
)


def read_files(folder: str | os.PathLike[str] | list[str], *, filesystem: Any = None, parallelism: int = -1) -> ray.data.Dataset:
    """The model and motion files below a folder, as rows: `path` and `bytes`.

    `folder` is a path or a list of them: local, or of any filesystem that pyarrow or fsspec knows (`filesystem`).
    """
    paths = [os.fspath(path) for path in folder] if isinstance(folder, list) else os.fspath(folder)
    return ray.data.read_binary_files(
        paths,
        include_paths=True,
        filesystem=filesystem,
        file_extensions=list(ENDINGS),
        override_num_blocks=None if parallelism < 0 else parallelism,
    )


def sample(
    files: ray.data.Dataset, *, rate: float = 30.0, joints: str | list[str] | None = None, space: str = "local", form: str = "quat", **options: Any
) -> ray.data.Dataset:
    """Every clip of every file as a row: `file`, `clip`, `rate`, `frames`, `joints`, `width`, `names`, `local` and `error`.

    `local` is the bytes of `(frames, joints, width)` float32; `array` gives it back its shape. `options` are those of `Clip.sample`.
    """

    def clips(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
        model = _opened(row)
        for clip in model.clips:
            yield _row(row["path"], clip, rate, joints, space=space, form=form, **options)

    one = _guarded(clips)

    def rows(table: pa.Table) -> pa.Table:
        return _table([made for row in table.to_pylist() for made in one(row)], _CLIP)

    return files.map_batches(rows, batch_size=16, batch_format="pyarrow")


def retarget(
    files: ray.data.Dataset,
    onto: str | os.PathLike[str],
    *,
    rate: float = 30.0,
    plant_feet: bool = True,
    joints: str | list[str] | None = None,
    space: str = "local",
    form: str = "quat",
    concurrency: int | tuple[int, int] = 1,
    batch_size: int = 16,
    **options: Any,
) -> ray.data.Dataset:
    """The same, with every clip retargeted onto a character. A pool of `concurrency` actors opens it once each.

    Every actor takes a CPU of the cluster; leave at least one for reading and writing.
    """
    arguments = dict(onto=os.fspath(onto), rate=rate, plant_feet=plant_feet, joints=joints, space=space, form=form, options=options)
    return files.map_batches(
        _Retargeter, fn_constructor_kwargs=arguments, concurrency=concurrency, batch_size=batch_size, batch_format="pyarrow"
    )


class _Retargeter:
    """An actor that holds the target rig."""

    def __init__(self, onto: str, rate: float, plant_feet: bool, joints: Any, space: str, form: str, options: dict[str, Any]) -> None:
        self.onto = sinew.open(onto, images=False)
        self.rate, self.plant_feet, self.joints = rate, plant_feet, joints
        self.sampling = dict(space=space, form=form, **options)

    def __call__(self, table: pa.Table) -> pa.Table:
        one = _guarded(self.clips)
        return _table([made for row in table.to_pylist() for made in one(row)], _CLIP)

    def clips(self, row: dict[str, Any]) -> Iterator[dict[str, Any]]:
        made = sinew.retarget(list(_opened(row).clips), self.onto, rate=self.rate, plant_feet=self.plant_feet, measure=False)
        for clip in made:
            yield _row(row["path"], clip, self.rate, self.joints, **self.sampling)


def windows(rows: ray.data.Dataset, length: int, step: int | None = None) -> ray.data.Dataset:
    """Windows of one length, a row each: `file`, `clip`, `start`, `length`, `joints`, `width` and `window`, a list of float32.

    Plain columns: any reader of Parquet reads them, and `read_windows` gives them back their shape. Rows of files that cannot be
    used, and clips that are shorter than a window, give none.
    """
    if length < 1 or (step is not None and step < 1):
        raise ValueError(f"expected a length and a step of at least 1, found {length} and {step}")
    stride = length if step is None else step

    def cut(table: pa.Table) -> pa.Table:
        made: list[dict[str, Any]] = []
        for row in table.to_pylist():
            found = sinew.windows(array(row), length, stride) if not row["error"] else ()
            facts = dict(file=row["file"], clip=row["clip"], length=length, joints=row["joints"], width=row["width"])
            made += [{**facts, "start": at * stride, "window": window.ravel()} for at, window in enumerate(found)]
        return _table(made, _WINDOW)

    return rows.map_batches(cut, batch_format="pyarrow")


def failures(rows: ray.data.Dataset) -> list[tuple[str, str]]:
    """The files that cannot be used, and why."""
    bad = rows.filter(lambda row: bool(row["error"])).select_columns(["file", "error"])
    return [(row["file"], row["error"]) for row in bad.take_all()]


def array(row: dict[str, Any]) -> np.ndarray:
    """The numbers of a row of `sample` or `retarget`: `(frames, joints, width)`."""
    return np.frombuffer(row["local"], np.float32).reshape(row["frames"], row["joints"], row["width"])


def read_windows(folder: str | os.PathLike[str], filesystem: Any = None) -> np.ndarray:
    """All windows of a Parquet data set that `windows` wrote, as one array: `(windows, length, joints, width)`."""
    import pyarrow.parquet as pq

    columns = ["window", "length", "joints", "width"]
    table = pq.read_table(os.fspath(folder), columns=columns, filesystem=filesystem).combine_chunks()
    shapes = {tuple(shape.values()) for shape in table.select(columns[1:]).group_by(columns[1:]).aggregate([]).to_pylist()}
    if len(shapes) != 1:
        raise ValueError(f"{folder}: expected windows of one shape, found {sorted(shapes)}")
    flat = table.column("window").chunk(0).flatten().to_numpy()
    return flat.reshape(len(table), *shapes.pop())


def _opened(row: dict[str, Any]) -> sinew.Model:
    return sinew.open(row["bytes"], images=False)


def _row(path: str, clip: sinew.Clip, rate: float, joints: Any, **sampling: Any) -> dict[str, Any]:
    local = clip.sample(rate=rate, joints=joints, **sampling)
    local = local.reshape(*local.shape[:2], -1)
    names = clip.skeleton.names
    if isinstance(joints, str):
        names = sinew.joint_names(joints)
    elif joints is not None:
        names = [names[clip.skeleton.index(joint)] for joint in joints]
    frames, count, width = local.shape
    facts = dict(file=path, clip=clip.name, rate=float(rate), frames=frames, joints=count, width=width)
    return {**facts, "names": names, "local": local.tobytes(), "error": ""}


def _guarded(clips: Callable[[dict[str, Any]], Iterator[dict[str, Any]]]) -> Callable[[dict[str, Any]], list[dict[str, Any]]]:
    """A file that cannot be used is a row that says why."""

    def rows(row: dict[str, Any]) -> list[dict[str, Any]]:
        try:
            return list(clips(row))
        except (ValueError, KeyError, OSError, RuntimeError) as error:
            text = str(error.args[0]) if error.args else type(error).__name__
            empty = dict(file=row["path"], clip="", rate=0.0, frames=0, joints=0, width=0)
            return [{**empty, "names": [], "local": b"", "error": text}]

    return rows


def _table(rows: list[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    return pa.table({name: pa.array([row[name] for row in rows], schema.field(name).type) for name in schema.names}, schema=schema)
