"""Blender's own word on a rig, and the comparison of exported files with it.

In:  a rig of test_rigs, standing in the open scene.
Out: the exported files, expected.json as test_export describes it, and an AssertionError where they disagree.
"""

import json
import math
import os
import shutil
import sys
from contextlib import contextmanager

import bpy
import numpy as np
from bpy_extras.io_utils import axis_conversion

from sinew_export import exporter
from test_reader import Animation, Mesh

# Blender computes in f32 with coordinates up to about ten: 1e-6 a step, some dozen steps.
TIGHT = 1e-4
# Not the exporter's matrix: Blender's own.
Y_UP = np.array(axis_conversion("Y", "Z", "-Z", "Y").to_4x4(), float)


def compare_with_blender(rig, out, name):
    """Exports, writes expected.json from Blender's evaluation, and compares every frame with the files."""
    stem = fresh(out / name) / name
    before = state(rig)
    exporter.export(bpy.context, stem, rig.armature, [rig.mesh])
    assert state(rig) == before, "the export changed the scene"
    write_other_formats(stem)

    animation, mesh = read(stem)
    assert mesh.volume() > 0.0, "triangles show their inside"
    count = len(rig.weights)
    vertices = np.floor(mesh.uvs[:, 0] * count).astype(int)
    assert set(vertices) == set(range(count)), "some vertices are missing"
    assert {round(v, 6) for v in mesh.uvs[:, 1]} == {0.25, 0.75}
    near(mesh.colours, np.ones_like(mesh.colours), 0, "colour of an unpainted mesh")

    keep_largest_four(rig)
    scene = bpy.context.scene
    step = scene.render.fps / scene.render.fps_base / 24.0
    scene.frame_set(scene.frame_start)
    armature_from_start = np.linalg.inv(blender_armature(rig))
    frames, positions = [], []
    for index in range(len(animation.offsets)):
        at = scene.frame_start + index * step
        scene.frame_set(math.floor(at), subframe=at - math.floor(at))
        time = index / 24.0
        world = blender_bones(rig, animation.names, armature_from_start)
        near(animation.frame(index), world, TIGHT, f"bones of {name} in frame {index}")
        frames.append({"time": time, "matrices": [columns(matrix) for matrix in world]})

        points, pull = blender_points(rig)[vertices], animation.pull(index)
        allowed = [
            TIGHT + rounding(mesh, vertex, rig.weights[source], pull, animation.names)
            for vertex, source in enumerate(vertices)
        ]
        distance = np.linalg.norm(mesh.skinned(pull) - points, axis=1)
        worst = np.argmax(distance - allowed)
        assert (distance <= allowed).all(), (
            f"{name}, frame {index}, vertex {worst}: {distance[worst]:.6f} from Blender's, allowed {allowed[worst]:.6f}"
        )
        if index % 5 == 0 or index == len(animation.offsets) - 1:
            positions.append({"frame": index, "time": time, "tolerance": max(allowed), "points": points.tolist()})
    expected = {"bones": animation.names, "frames": frames, "positions": positions}
    (stem.parent / "expected.json").write_text(json.dumps(expected, ensure_ascii=False), "utf-8")
    moved = np.abs(np.array(positions[0]["points"]) - positions[len(positions) // 2]["points"]).max()
    assert moved > 0.1, "a rig that stands still proves nothing"
    return animation, mesh


def rounding(mesh, vertex, painted, pull, names):
    """How far whole percentages may put a vertex from where the painted weights put it.

    With errors d of the weights that sum to zero, and ends x where each bone alone puts the vertex, the vertex is
    off by |sum d x| <= ½ sum |d| · (the largest distance between two ends). Each |d| is below one hundredth."""
    influences = mesh.influences[vertex]
    largest = sorted(painted.items(), key=lambda pair: -pair[1])[:4]
    total = sum(weight for _, weight in largest)
    if total == 0.0:
        assert influences == {0: 100}
        return 0.0
    exact = {names.index(bone): weight / total for bone, weight in largest if weight > 0.0}
    assert set(influences) <= set(exact), f"{influences} for {exact}"
    errors = [abs(weight - influences.get(bone, 0) / 100.0) for bone, weight in exact.items()]
    assert max(errors) < 0.01, f"{influences} for {exact}"
    ends = [mesh.alone(pull, vertex, bone) for bone in exact]
    return 0.5 * sum(errors) * max(np.linalg.norm(a - b) for a in ends for b in ends)


def blender_armature(rig):
    return np.array(rig.armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world, float)


def blender_bones(rig, names, armature_from_start):
    """World from bone, Y up, as Blender evaluates the pose; an added root follows the armature object."""
    pose = rig.armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose
    world = Y_UP @ blender_armature(rig)
    added_root = world @ armature_from_start @ np.linalg.inv(Y_UP)
    return np.array(
        [world @ np.array(pose.bones[name].matrix, float) if name in pose.bones else added_root for name in names]
    )


def blender_points(rig):
    """The deformed mesh in the world, Y up."""
    evaluated = rig.mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    data = evaluated.to_mesh()
    world = Y_UP @ np.array(evaluated.matrix_world, float)
    points = np.array([world @ [*vertex.co, 1.0] for vertex in data.vertices])[:, :3]
    evaluated.to_mesh_clear()
    return points


def keep_largest_four(rig):
    """Blender's own tool drops the groups a file has no room for; its modifier then divides by the sum."""
    if rig.mesh.vertex_groups:
        rig.mesh.select_set(True)
        bpy.context.view_layer.objects.active = rig.mesh
        bpy.ops.object.vertex_group_limit_total(group_select_mode="BONE_DEFORM", limit=4)
        deforming = {bone.name for bone in rig.armature.data.bones if bone.use_deform}
        bones = {group.index for group in rig.mesh.vertex_groups if group.name in deforming}
        assert all(sum(entry.group in bones for entry in vertex.groups) <= 4 for vertex in rig.mesh.data.vertices)


def write_other_formats(stem):
    """The same scene for other readers, standing at its first frame."""
    scene = bpy.context.scene
    was = scene.frame_current
    scene.frame_set(scene.frame_start)
    with quiet():
        bpy.ops.export_scene.gltf(
            filepath=str(with_ending(stem, ".glb")), export_format="GLB", export_anim_slide_to_zero=True
        )
        bpy.ops.export_scene.fbx(filepath=str(with_ending(stem, ".fbx")), add_leaf_bones=False)
        if "collada_export" in dir(bpy.ops.wm):
            bpy.ops.wm.collada_export(filepath=str(with_ending(stem, ".dae")))
    scene.frame_set(was)


@contextmanager
def quiet():
    """Blender's exporters talk from C too: only closing the streams themselves stills them."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
        for stream in (*kept, nowhere):
            os.close(stream)


def state(rig):
    scene = bpy.context.scene
    return scene.frame_current, scene.frame_subframe, rig.armature.data.pose_position


def fresh(folder):
    """An empty folder: what an earlier run left in it must not pass for this one's."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def read(stem):
    animation = Animation(with_ending(stem, ".skeleton_anim"))
    return animation, Mesh(with_ending(stem, ".mesh"), with_ending(stem, ".weight"))


def with_ending(stem, ending):
    return stem.with_name(stem.name + ending)


def columns(matrix):
    return matrix.T.reshape(16).tolist()


def near(found, expected, tolerance, what):
    distance = np.abs(np.asarray(found) - np.asarray(expected)).max()
    assert distance <= tolerance, (
        f"{what}: off by {distance:.3g}, allowed {tolerance:g}\nfound\n{found}\nexpected\n{expected}"
    )
