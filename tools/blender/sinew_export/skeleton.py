"""From an armature to bones and frames.

In:  an armature object and a scene whose timeline can be evaluated.
Out: a Skeleton, parents before children and bone 0 the one root; offsets for each frame.

The reader computes  world(bone) = world(parent) · rest(bone) · offset(bone)  from an identity above bone 0.
Offsets are solved from Blender's evaluated pose, so constraints, drivers and bones that do not inherit
rotation or scale come out as Blender shows them; for a plain bone the offset is its basis matrix.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from .files import I8_MAX, U16_MAX, ExportError
from .space import FILE_FROM_BLENDER, matrix

FILE_RATE = 24.0
IDENTITY = np.identity(4)
# Beyond this condition number a matrix of f32 origin says nothing about its flattest direction.
FLAT = 1e6


@dataclass
class Skeleton:
    """The bones in file order. `bone_names` has None for a root that the armature does not have."""

    names: list
    bone_names: list
    parents: list
    parent_from_rest: np.ndarray
    index_of_bone: dict = field(init=False)

    def __post_init__(self):
        self.index_of_bone = {name: index for index, name in enumerate(self.bone_names) if name is not None}

    @property
    def has_added_root(self):
        return self.bone_names[0] is None

    def children(self):
        children = [[] for _ in self.names]
        for bone, parent in enumerate(self.parents):
            if parent is not None:
                children[parent].append(bone)
        return children


def build(armature, file_from_armature, weighted, needs_still_root):
    """Orders the bones. `weighted` names those a mesh hangs on; `needs_still_root` asks for a root that
    follows the armature object alone, for vertices that no bone moves."""
    bones = _ordered(armature.data.bones, weighted)
    if not bones:
        raise ExportError(f"the armature {armature.name!r} has no bones")
    roots = [bone for bone in bones if bone.parent is None]
    added = len(roots) > 1 or needs_still_root

    names = [_unused_name("root", armature.data.bones)] if added else []
    bone_names = [None] if added else []
    parents = [None] if added else []
    rest = [IDENTITY] if added else []
    index_of_bone = {bone.name: index + added for index, bone in enumerate(bones)}
    for bone in bones:
        armature_from_rest = matrix(bone.matrix_local)
        names.append(bone.name)
        bone_names.append(bone.name)
        if bone.parent is None:
            parents.append(0 if added else None)
            rest.append(file_from_armature @ armature_from_rest)
        else:
            parents.append(index_of_bone[bone.parent.name])
            rest.append(np.linalg.inv(matrix(bone.parent.matrix_local)) @ armature_from_rest)
    # Rounded as the file will hold them: the offsets are solved against these.
    return Skeleton(names, bone_names, parents, np.array(rest, np.float32).astype(float))


def frame_times(scene):
    """Scene frames, with fractions, that lie 1/24 s apart: the file has no rate and is played at 24 a second.

    When the range is not a whole number of such steps, one more frame holds the last pose."""
    start, end = scene.frame_start, scene.frame_end
    step = scene.render.fps / scene.render.fps_base / FILE_RATE
    steps = math.ceil((end - start) / step - 1e-6)
    if steps >= U16_MAX:
        # Said before hours go by in evaluating them.
        raise ExportError(f"{steps + 1} frames are too many: the file has room for {U16_MAX}")
    return [min(start + index * step, float(end)) for index in range(steps + 1)]


def is_flat(matrix):
    """Whether a scale of (nearly) zero leaves the matrix without a usable inverse."""
    return not np.linalg.cond(matrix[:3, :3]) < FLAT


def set_frame(scene, time):
    whole = math.floor(time)
    scene.frame_set(whole, subframe=time - whole)


def offsets(skeleton, armature, file_from_armature_at_rest, depsgraph):
    """The offset of every bone at the frame the scene stands at."""
    evaluated = armature.evaluated_get(depsgraph)
    file_from_armature = FILE_FROM_BLENDER @ matrix(evaluated.matrix_world)
    world = np.empty((len(skeleton.names), 4, 4))
    result = np.empty_like(world)
    for bone, (name, parent) in enumerate(zip(skeleton.bone_names, skeleton.parents, strict=True)):
        above = IDENTITY if parent is None else world[parent]
        still = above @ skeleton.parent_from_rest[bone]
        if name is None:
            offset = file_from_armature @ np.linalg.inv(file_from_armature_at_rest)
        else:
            pose_bone = evaluated.pose.bones[name]
            wanted = file_from_armature @ matrix(pose_bone.matrix)
            offset = _solve(still, wanted, pose_bone)
        result[bone] = offset
        # Go on from what a reader will have, so that rounding does not add up along a chain.
        world[bone] = still @ offset.astype(np.float32)
    return result


def _solve(still, wanted, pose_bone):
    """`still · offset = wanted`. Under a bone scaled to nothing every offset is as good; take the basis."""
    if is_flat(still):
        return matrix(pose_bone.matrix_basis)
    return np.linalg.solve(still, wanted)


def _ordered(bones, weighted):
    """Depth first. When a `.weight` file cannot count them all, the bones it needs come first, with all
    their ancestors, so that parents still come before children."""
    ordered = []
    pending = [bone for bone in reversed(bones) if bone.parent is None]
    while pending:
        bone = pending.pop()
        ordered.append(bone)
        pending.extend(reversed(bone.children))
    if len(ordered) > I8_MAX:
        needed = set()
        for name in weighted:
            needed.update([name, *(above.name for above in bones[name].parent_recursive)])
        ordered.sort(key=lambda bone: bone.name not in needed)
    return ordered


def _unused_name(wanted, bones):
    name, number = wanted, 0
    while name in bones:
        number += 1
        name = f"{wanted}.{number:03}"
    return name
