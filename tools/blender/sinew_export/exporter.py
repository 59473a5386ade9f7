"""The whole way, from what is selected to three files.

In:  a Blender context and a path without ending.
Out: PATH.skeleton_anim, PATH.mesh and PATH.weight, and notes on what could not be kept.

All bytes are made before the first is written, so that trouble leaves old files as they were; the scene is
left at the frame and in the pose it was found in.
"""

from contextlib import contextmanager
from pathlib import Path

import numpy as np

from . import files, geometry, skeleton
from .files import ExportError
from .space import FILE_FROM_BLENDER, matrix

# Metres by which a mesh may drift from its armature before it is worth a note.
DRIFT = 1e-4


def choose(context, armature_name=None, mesh_names=()):
    """The armature and meshes meant: by name, else as selected, else the scene's only armature and its meshes."""
    objects = context.view_layer.objects
    selected = [thing for thing in objects if thing.select_get()]
    meshes = [_named(objects, name, "MESH") for name in mesh_names]
    meshes = meshes or [thing for thing in selected if thing.type == "MESH"]
    if armature_name is not None:
        armature = _named(objects, armature_name, "ARMATURE")
    else:
        armature = _only_armature(objects, selected, meshes)
    if not meshes:
        meshes = [thing for thing in objects if thing.type == "MESH" and geometry.is_moved_by(thing, armature)]
    return armature, meshes


def export(context, stem, armature, meshes):
    """Writes the files and returns their paths and the notes. Without meshes, the animation alone."""
    _refuse_hidden_trouble([armature, *meshes])
    notes = _notes(context.scene, armature, meshes)
    with _posed(context, armature):
        times = skeleton.frame_times(context.scene)
        skeleton.set_frame(context.scene, times[0])
        file_from_armature, parts = _at_rest(context, armature, meshes)
        weighted = {bone for part in parts for bone in part.weighted_bones()}
        loose = any(part.has_loose_vertices() for part in parts)
        if loose:
            notes.append("some vertices hang on no bone: they are bound to an added root bone")
        bones = skeleton.build(armature, file_from_armature, weighted, needs_still_root=loose)
        drift = Drift(armature, meshes)
        frames = []
        for time in times:
            skeleton.set_frame(context.scene, time)
            depsgraph = context.evaluated_depsgraph_get()
            frames.append(skeleton.offsets(bones, armature, file_from_armature, depsgraph))
            drift.watch(depsgraph)
        notes += drift.notes()

    content = {".skeleton_anim": files.skeleton_anim(bones.names, bones.children(), bones.parent_from_rest, frames)}
    if meshes:
        vertices, indices, influences = geometry.merge(parts, bones)
        content[".mesh"] = files.mesh(vertices, indices)
        content[".weight"] = files.weight(influences)
    return _write(Path(stem), content), notes


def _at_rest(context, armature, meshes):
    """Where the armature stands at the first frame, and the meshes in rest pose."""
    with geometry.resting(context, armature) as depsgraph:
        file_from_armature = FILE_FROM_BLENDER @ matrix(armature.evaluated_get(depsgraph).matrix_world)
        if skeleton.is_flat(file_from_armature):
            raise ExportError(f"the armature {armature.name!r} is scaled to nothing")
        return file_from_armature, [geometry.corners(mesh, armature, depsgraph) for mesh in meshes]


def _write(stem, content):
    stem.parent.mkdir(parents=True, exist_ok=True)
    paths = []
    for ending, data in content.items():
        paths.append(stem.with_name(stem.name + ending))
        paths[-1].write_bytes(data)
    return paths


class Drift:
    """Watches for meshes that move while their armature does not: skinning cannot say that."""

    def __init__(self, armature, meshes):
        self.armature = armature
        self.meshes = [mesh for mesh in meshes if geometry.rigid_bone(mesh, armature) is None]
        self.first = None
        self.drifting = set()

    def watch(self, depsgraph):
        world_from_armature = matrix(self.armature.evaluated_get(depsgraph).matrix_world)
        if skeleton.is_flat(world_from_armature):
            return
        armature_from_mesh = [
            np.linalg.solve(world_from_armature, matrix(mesh.evaluated_get(depsgraph).matrix_world))
            for mesh in self.meshes
        ]
        self.first = self.first or armature_from_mesh
        for mesh, now, then in zip(self.meshes, armature_from_mesh, self.first, strict=True):
            if np.abs(now - then).max() > DRIFT:
                self.drifting.add(mesh.name)

    def notes(self):
        return [
            f"{name!r} moves against its armature, which the files cannot say: parent it to the armature"
            for name in sorted(self.drifting)
        ]


@contextmanager
def _posed(context, armature):
    """The armature in pose position, whatever it shows; afterwards scene and armature as they were."""
    scene = context.scene
    frame, subframe, position = scene.frame_current, scene.frame_subframe, armature.data.pose_position
    try:
        armature.data.pose_position = "POSE"
        yield
    finally:
        armature.data.pose_position = position
        scene.frame_set(frame, subframe=subframe)


def _refuse_hidden_trouble(things):
    """Objects that Blender would not evaluate, so that old numbers would be exported without a word."""
    for thing in things:
        if thing.mode == "EDIT":
            raise ExportError(f"{thing.name!r} is in edit mode: leave it before exporting")
        if thing.hide_viewport or all(collection.hide_viewport for collection in thing.users_collection):
            raise ExportError(f"{thing.name!r} is disabled in viewports: enable it before exporting")


def _notes(scene, armature, meshes):
    """What will be exported otherwise than it looks."""
    notes = []
    rate = scene.render.fps / scene.render.fps_base
    if abs(rate - skeleton.FILE_RATE) > 1e-6:
        notes.append(f"the scene runs at {rate:g} frames a second: resampled to {skeleton.FILE_RATE:g}")
    if any(bone.bbone_segments > 1 for bone in armature.data.bones):
        notes.append("bendy bones are exported straight")
    for mesh in meshes:
        if mesh.data.shape_keys:
            notes.append(f"the shape keys of {mesh.name!r} are exported as they stand on the first frame")
        for modifier in geometry.armature_modifiers(mesh, armature):
            if modifier.use_deform_preserve_volume:
                notes.append(f"{mesh.name!r} preserves volume in Blender; a reader of the files skins linearly")
            if modifier.use_bone_envelopes:
                notes.append(f"the bone envelopes of {mesh.name!r} are not exported, only its vertex groups")
    return notes


def _only_armature(objects, selected, meshes):
    """The selected armature, else the one that moves the meshes, else the only one there is."""
    candidates = [thing for thing in selected if thing.type == "ARMATURE"]
    armatures = [thing for thing in objects if thing.type == "ARMATURE"]
    if not candidates:
        candidates = [thing for thing in armatures if any(geometry.is_moved_by(mesh, thing) for mesh in meshes)]
    candidates = candidates or armatures
    if len(candidates) != 1:
        found = ", ".join(repr(thing.name) for thing in candidates) or "none"
        raise ExportError(f"one armature is exported at a time; select it (found: {found})")
    return candidates[0]


def _named(objects, name, kind):
    thing = objects.get(name)
    if thing is None or thing.type != kind:
        raise ExportError(f"the scene has no {kind.lower()} object {name!r}")
    return thing
