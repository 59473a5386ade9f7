"""Writing files: models, clips and arrays.

In:  a model or a clip, and a path whose ending says the format.
Out: the file, and notes on what its format could not hold.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from ._sinew import Clip, Model, Skeleton, open as _open

_MODEL_FORMATS = {".glb": "glb", ".fbx": "fbx"}
_CLIP_FORMATS = {**_MODEL_FORMATS, ".bvh": "bvh", ".skeleton_anim": "skeleton_anim", ".sinewclip": "sinewclip"}


def save(what: Model | Clip, path: str | os.PathLike[str], **options: Any) -> list[str]:
    """Writes a model (.glb, .fbx) or a clip (.glb, .fbx, .bvh, .skeleton_anim, .sinewclip, .npz); the ending says which.

    `options` are those of `Clip.encode`: `rate` and `scale` of a BVH, `error` of a packed clip in metres. Gives notes on what the
    format could not hold. The file is written whole or not at all.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "walk.bvh")
    >>> notes = sinew.save(sinew.open("ossi").clips["walk"], path, rate=30)
    >>> sinew.open(path).clips[0].rate
    30.0
    """
    if not isinstance(what, (Model, Clip)):
        raise TypeError(f"expected a model or a clip to write, found {type(what).__name__}")
    path = Path(path)
    ending = path.suffix.lower()
    if ending == ".npz" and isinstance(what, Clip):
        return _save_npz(what, path, **options)
    known = _CLIP_FORMATS if isinstance(what, Clip) else _MODEL_FORMATS
    if ending not in known:
        expected = ", ".join([*known, *([".npz"] if isinstance(what, Clip) else [])])
        raise ValueError(f'path: expected a name that ends in {expected}, found "{path.name}"')
    data, beside, notes = what.encode(known[ending], **options)
    for name, content in beside.items():
        _write(path.parent / name, content)
    _write(path, data)
    return notes


def _write(path: Path, data: bytes) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _save_npz(clip: Clip, path: Path, rate: float | None = None) -> list[str]:
    times = clip.times if rate is None else np.arange(clip.sample(rate=rate).shape[0], dtype=np.float32) / np.float32(rate)
    skeleton = clip.skeleton
    part = path.with_name(f".{path.name}.{os.getpid()}.tmp.npz")
    try:
        np.savez(
            part,
            name=np.array(clip.name),
            times=times,
            local=clip.sample(times, form="trs"),
            names=np.array(skeleton.names),
            parents=skeleton.parents,
            rest=skeleton.rest,
            weights=clip.morph_weights(times),
        )
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return []


def load_npz(path: str | os.PathLike[str], skeleton: Skeleton) -> Clip:
    """A clip that `save` wrote as .npz, for the skeleton that it was written of.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "walk.npz")
    >>> walk = sinew.open("ossi").clips["walk"]
    >>> _ = sinew.save(walk, path)
    >>> sinew.load_npz(path, walk.skeleton).duration == walk.duration
    True
    """
    with np.load(path) as data:
        missing = {"name", "times", "local", "names"} - set(data.files)
        if missing:
            raise ValueError(f"{path}: expected the arrays of a clip, found none called {sorted(missing)}")
        names = data["names"].tolist()
        if names != skeleton.names:
            raise ValueError(f"{path}: expected a clip of {len(skeleton)} joints of the same names, found one of {len(names)} others")
        weights = data["weights"] if "weights" in data.files and data["weights"].size else None
        return Clip.from_arrays(skeleton, data["local"], times=data["times"], name=str(data["name"]), weights=weights)


def convert(source: str | os.PathLike[str], target: str | os.PathLike[str], clip: int | str | None = None, **options: Any) -> dict[str, Any]:
    """Opens a file and writes it in another format: a dict of what was read and written, with all notes.

    Formats of one clip (.bvh, .skeleton_anim, .sinewclip, .npz) take `clip`, by number or name, or else the first.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "ossi.glb")
    >>> sinew.convert("ossi", path)["written"]["clips"] > 0
    True
    """
    model = _open(source)
    target = Path(target)
    one = target.suffix.lower() not in _MODEL_FORMATS or clip is not None
    if one and not len(model.clips):
        raise ValueError(f"{source}: expected a clip to write, found none")
    what = model.clips[0 if clip is None else clip] if one else model
    notes = save(what, target, **options)
    return {
        "source": str(source),
        "target": str(target),
        "read": {"format": model.format, "notes": model.notes, **model.sizes},
        "written": {"bytes": target.stat().st_size, "clips": 1 if one else len(model.clips), "notes": notes},
    }
