"""Many clips as one array.

In:  clips, of one skeleton or in one joint order.
Out: padded or ragged arrays, and windows of one length, with what says which frame is whose.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._sinew import Clip


def padded(clips: Iterable[Clip], fill: float = 0.0, **options: Any) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """All clips in one array, `(clips, frames, joints, …)`, and how many frames each has. Frames past a clip's end hold `fill`.

    `options` are those of `Clip.sample`: `rate`, `space`, `form`, `joints`, …

    >>> array, lengths = sinew.padded(sinew.open("ossi").clips, rate=30)
    >>> array.shape == (6, lengths.max(), 53, 7)
    True
    """
    sampled = _sampled(clips, options)
    lengths = np.array([array.shape[0] for array in sampled], dtype=np.int64)
    out = np.full((len(sampled), int(lengths.max()), *sampled[0].shape[1:]), fill, dtype=np.float32)
    for row, array in zip(out, sampled):
        row[: len(array)] = array
    return out, lengths


def ragged(clips: Iterable[Clip], **options: Any) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """All clips one after the other, `(frames, joints, …)`, and where each begins; the last number is where the last ends.

    >>> array, starts = sinew.ragged(sinew.open("ossi").clips, rate=30)
    >>> array[starts[0] : starts[1]].shape[1:]
    (53, 7)
    """
    sampled = _sampled(clips, options)
    starts = np.zeros(len(sampled) + 1, dtype=np.int64)
    np.cumsum([array.shape[0] for array in sampled], out=starts[1:])
    out = np.empty((int(starts[-1]), *sampled[0].shape[1:]), dtype=np.float32)
    for start, array in zip(starts, sampled):
        out[start : start + len(array)] = array
    return out, starts


def windows(array: NDArray[Any], length: int, step: int | None = None) -> NDArray[Any]:
    """Windows of one length over the first axis, `(windows, length, …)`: a view where nothing needs to be copied.

    What is left at the end, too short for a window, is left out.

    >>> sinew.windows(np.arange(10), 4, 3).tolist()
    [[0, 1, 2, 3], [3, 4, 5, 6], [6, 7, 8, 9]]
    """
    array = np.asanyarray(array)
    step = length if step is None else step
    if length < 1 or step < 1:
        raise ValueError(f"expected a length and a step of at least 1, found {length} and {step}")
    if len(array) < length:
        return array[:0].reshape(0, *([length] if array.ndim else []), *array.shape[1:])
    view = np.lib.stride_tricks.sliding_window_view(array, length, axis=0)[::step]
    return np.moveaxis(view, -1, 1)


def _sampled(clips: Iterable[Clip], options: dict[str, Any]) -> list[NDArray[np.float32]]:
    sampled = [clip.sample(**options) for clip in clips]
    if not sampled:
        raise ValueError("clips: expected at least one clip, found none")
    shapes = {array.shape[1:] for array in sampled}
    if len(shapes) > 1:
        raise ValueError(f"clips: expected clips of one shape, found {sorted(shapes)}; choose joints= that all of them have")
    return sampled
