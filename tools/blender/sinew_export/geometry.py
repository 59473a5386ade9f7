"""From mesh objects to vertices, triangles and influences.

In:  mesh objects and the armature that moves them, standing at the first frame of the export.
Out: Corners with painted weights by bone name; then, once the bones have numbers, the merged file vertices.

Vertices are taken in rest pose, in world space, after every modifier but the armature's own. Two corners
become one vertex only when all that the files say of them is equal: position, colour, texture coordinate
and influences.
"""

from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from .files import U16_MAX, ExportError
from .space import FILE_FROM_BLENDER, matrix
from .weights import percentages


@dataclass
class Corners:
    """One mesh object: nine numbers and a vertex number for each corner of each triangle."""

    rows: np.ndarray
    vertex_of_corner: np.ndarray
    weights: list

    def weighted_bones(self):
        return {bone for weights in self.weights for bone in weights}

    def has_loose_vertices(self):
        """Whether a corner's vertex hangs on no bone at all."""
        return any(not self.weights[vertex] for vertex in np.unique(self.vertex_of_corner))


@contextmanager
def resting(context, armature):
    """The scene with the armature in rest pose, in which it deforms nothing; afterwards as it was."""
    position = armature.data.pose_position
    try:
        armature.data.pose_position = "REST"
        context.view_layer.update()
        yield context.evaluated_depsgraph_get()
    finally:
        armature.data.pose_position = position
        context.view_layer.update()


def armature_modifiers(mesh, armature):
    return [modifier for modifier in mesh.modifiers if modifier.type == "ARMATURE" and modifier.object == armature]


def is_deformed_by(mesh, armature):
    child = mesh.parent == armature and mesh.parent_type == "ARMATURE"
    return child or bool(armature_modifiers(mesh, armature))


def rigid_bone(mesh, armature):
    """The bone that carries a mesh whole, or None."""
    hangs_on_bone = mesh.parent == armature and mesh.parent_type == "BONE" and mesh.parent_bone in armature.data.bones
    return mesh.parent_bone if hangs_on_bone and not is_deformed_by(mesh, armature) else None


def is_moved_by(mesh, armature):
    return is_deformed_by(mesh, armature) or rigid_bone(mesh, armature) is not None


def corners(mesh_object, armature, depsgraph):
    """Reads one mesh object, inside `resting`."""
    evaluated = mesh_object.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    try:
        mesh.calc_loop_triangles()
        count = 3 * len(mesh.loop_triangles)
        if count > U16_MAX:
            raise ExportError(
                f"the mesh {mesh_object.name!r} has {count // 3} triangles: a .mesh file has room for {U16_MAX // 3}"
            )
        loops = _array(mesh.loop_triangles, "loops", 3, np.int32)
        file_from_mesh = FILE_FROM_BLENDER @ matrix(evaluated.matrix_world)
        if np.linalg.det(file_from_mesh[:3, :3]) < 0.0:
            # A mirrored object shows the other side of every triangle.
            loops = loops[:, ::-1]
        loops = loops.reshape(-1)
        vertex_of_corner = _array(mesh.loops, "vertex_index", 1, np.int32).reshape(-1)[loops]
        positions = _array(mesh.vertices, "co", 3, np.float32) @ file_from_mesh[:3, :3].T + file_from_mesh[:3, 3]
        rows = np.concatenate(
            [positions[vertex_of_corner], _colours(mesh, loops, vertex_of_corner), _uvs(mesh, loops)], axis=1
        )
        weights = _weights(mesh, mesh_object, armature)
        return Corners(rows.astype(np.float32), vertex_of_corner, weights)
    finally:
        evaluated.to_mesh_clear()


def merge(all_corners, skeleton):
    """File vertices, indices and influences of all the meshes together."""
    number_of, vertices, indices, influences = {}, [], [], []
    for part in all_corners:
        pairs_of_vertex = [_pairs(weights, skeleton) for weights in part.weights]
        for row, vertex in zip(part.rows, part.vertex_of_corner, strict=True):
            key = (row.tobytes(), pairs_of_vertex[vertex])
            number = number_of.setdefault(key, len(vertices))
            if number == len(vertices):
                vertices.append(row)
                influences.append(pairs_of_vertex[vertex])
            indices.append(number)
    # An empty mesh is a file too.
    return np.array(vertices, np.float32).reshape(-1, 9), np.array(indices, int), influences


def _pairs(weights, skeleton):
    """Bone numbers and percentages. What hangs on no bone hangs on the added root, as in Blender it stays."""
    pairs = percentages({skeleton.index_of_bone[bone]: weight for bone, weight in weights.items()})
    return pairs or ((0, 100),)


def _weights(mesh, mesh_object, armature):
    """For each vertex what each deforming bone pulls. Other groups (masks, pins, hair) do not count."""
    carrier = rigid_bone(mesh_object, armature)
    if carrier:
        return [{carrier: 1.0}] * len(mesh.vertices)
    bones = armature.data.bones
    bone_of_group = {
        group.index: group.name
        for group in mesh_object.vertex_groups
        if group.name in bones and bones[group.name].use_deform
    }
    return [
        {
            bone_of_group[element.group]: element.weight
            for element in vertex.groups
            if element.group in bone_of_group and element.weight > 0.0
        }
        for vertex in mesh.vertices
    ]


def _colours(mesh, loops, vertex_of_corner):
    colours = mesh.color_attributes.active_color
    if colours is None:
        return np.ones((len(loops), 4))
    values = _array(colours.data, "color", 4, np.float32)
    return values[vertex_of_corner if colours.domain == "POINT" else loops]


def _uvs(mesh, loops):
    if mesh.uv_layers.active is None:
        return np.zeros((len(loops), 2))
    return _array(mesh.uv_layers.active.data, "uv", 2, np.float32)[loops]


def _array(collection, attribute, width, kind):
    values = np.empty(len(collection) * width, kind)
    collection.foreach_get(attribute, values)
    return values.reshape(-1, width)
