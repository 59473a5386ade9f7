"""A folder tree of files, each taken through one task, on all cores."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ._sinew import run_batch

Task = Literal["convert", "retarget", "check", "pack", "render", "sample"]


@dataclass
class BatchReport:
    """What a batch did: a row for every file.

    A row is a dict: `file`, `status` ("done", "skipped" or "failed"), `message`, `seconds`, `clips`, `frames`, `outputs` and
    `figures`, which are what was measured.
    """

    task: str
    rows: list[dict[str, Any]]
    unfinished: int
    seconds: float
    out: Path = field(default_factory=Path)

    def count(self, status: str) -> int:
        """How many files have this status."""
        return sum(row["status"] == status for row in self.rows)

    @property
    def failed(self) -> list[tuple[str, str]]:
        """The files that cannot be used, and why."""
        return [(row["file"], row["message"]) for row in self.rows if row["status"] == "failed"]

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.count(status)} {status}" for status in ("done", "skipped", "failed"))
        return f"<sinew.BatchReport of {self.task}: {counts} in {self.seconds:.1f} s>"

    def to_table(self) -> list[dict[str, Any]]:
        """The rows with a column for every figure: for pandas, polars or pyarrow."""
        names = sorted({name for row in self.rows for name in row["figures"]})
        flat = []
        for row in self.rows:
            plain = {key: value for key, value in row.items() if key not in ("figures", "options", "modified")}
            flat.append({**plain, **{name: row["figures"].get(name) for name in names}})
        return flat

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the report: .json, .csv or .parquet (which needs pyarrow)."""
        path = Path(path)
        if path.suffix == ".json":
            path.write_text(json.dumps({"task": self.task, "seconds": self.seconds, "rows": self.rows}, indent=1))
        elif path.suffix == ".csv":
            table = self.to_table()
            with path.open("w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, list(table[0]) if table else ["file"])
                writer.writeheader()
                writer.writerows({**row, "outputs": ";".join(row["outputs"])} for row in table)
        elif path.suffix == ".parquet":
            import pyarrow as pa
            import pyarrow.parquet as pq

            pq.write_table(pa.Table.from_pylist(self.to_table()), path)
        else:
            raise ValueError(f'report: expected a name that ends in .json, .csv or .parquet, found "{path.name}"')


def batch(
    task: Task,
    folder: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    format: Literal["glb", "fbx", "bvh", "skeleton_anim"] = "glb",
    onto: str | os.PathLike[str] | None = None,
    rate: float | None = None,
    plant_feet: bool = True,
    engine: str | None = None,
    error: float = 0.0001,
    size: tuple[int, int] = (640, 480),
    again: bool = False,
    report: str | os.PathLike[str] | None = None,
    progress: Callable[[str, int, int], object] | None = None,
) -> BatchReport:
    """Takes every file below a folder through one task, on all cores.

    `task` is "convert" (to `format`), "retarget" (onto the character `onto`, to `format`), "check" (for `engine`), "pack" (within
    `error` metres), "render" (images of `size`) or "sample" (a .npz for each clip, at `rate`). Results go to `out`, in a tree of
    the same shape, with a manifest: what is in it with the same input and options is skipped, so a batch that was stopped goes
    on where it was; `again` does all of it anew. Bad files are rows of the report, never the end. `report` writes the report,
    `progress` is called with a file's name, how many are finished, and of how many.

    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = sinew.save(sinew.open("ossi").clips["walk"], folder / "walk.bvh")
    >>> sinew.batch("sample", folder, folder / "arrays").count("done")
    1
    """
    if not isinstance(rate, (int, float, type(None))):
        raise ValueError(f"rate: expected a number, found {type(rate).__name__}")
    if report is not None:
        _check_report(Path(report))
    text = run_batch(
        task, folder, out, format=format, onto=onto, rate=rate, plant_feet=plant_feet, engine=engine, error=error, size=size,
        again=again, progress=progress,
    )  # fmt: skip
    found = BatchReport(**json.loads(text), out=Path(out))
    if report is not None:
        found.save(report)
    return found


def _check_report(path: Path) -> None:
    """Refuses what cannot be written before hours of work, not after."""
    if path.suffix not in (".json", ".csv", ".parquet"):
        raise ValueError(f'report: expected a name that ends in .json, .csv or .parquet, found "{path.name}"')
    if path.suffix == ".parquet":
        try:
            import pyarrow.parquet  # noqa: F401
        except ImportError as error:
            raise ImportError(f'report: "{path.name}" needs pyarrow: pip install "sinew-anim[batch]"') from error
