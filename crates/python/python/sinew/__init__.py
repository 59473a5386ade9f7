"""Skeletal animation as arrays.

Open a rigged character of any common file format, sample its clips into numpy arrays, skin it, retarget it, render it.

>>> import sinew
>>> model = sinew.open("ossi")  # built in; or "hero.fbx", "walk.bvh", "hero.glb", …
>>> walk = model.clips["walk"]
>>> walk.sample([0.0, 0.5]).shape  # translation and quaternion of every joint in its parent
(2, 53, 7)

Without another choice, lengths are metres, times seconds, angles radians, Y is up and a body faces Z; quaternions are x y z w.
"""

import atexit as _atexit
import os as _os

from . import _sinew, orders
from ._sinew import (
    Clip,
    Clips,
    InternalError,
    Model,
    ReadError,
    RetargetError,
    Skeleton,
    __VERSION__ as __version__,
    blend,
    check,
    diff,
    film,
    joint_map,
    open,
    play,
    render,
    retarget,
    set_deterministic,
)
from .batches import BatchReport, batch
from .files import convert, load_npz, save
from .many import padded, ragged, windows
from .orders import joint_names, joint_order

_HOME = _os.getpid()


@_atexit.register
def _finish():
    # A child of a fork has none of the threads that its parent had at work.
    if _os.getpid() == _HOME:
        _sinew.finish()


__all__ = [
    "BatchReport",
    "Clip",
    "Clips",
    "InternalError",
    "Model",
    "ReadError",
    "RetargetError",
    "Skeleton",
    "__version__",
    "batch",
    "blend",
    "check",
    "convert",
    "diff",
    "film",
    "joint_map",
    "joint_names",
    "joint_order",
    "load_npz",
    "open",
    "orders",
    "padded",
    "play",
    "ragged",
    "render",
    "retarget",
    "save",
    "set_deterministic",
    "windows",
]
