"""Compares what Blender makes of an FBX file with what Sinew says of the model it was written from.

usage: check_fbx.py SINEW MODEL FILE.fbx

Both of Blender's importers are asked for the joints, the names of the clips, and the vertices at a few frames of each clip. Vertices
are compared by place: the farthest that any is from the nearest of the other side.
"""
import json
import math
import subprocess
import sys

import bpy
from mathutils import Vector
from mathutils.kdtree import KDTree

# Of the model's size: the older importer joins keys by straight lines.
TOLERANCE = 5e-4
MOMENTS = (0.0, 0.31, 0.77)

IMPORTERS = {
    "import_scene.fbx": lambda path: bpy.ops.import_scene.fbx(filepath=path, anim_offset=0.0, ignore_leaf_bones=False),
    "wm.fbx_import": lambda path: bpy.ops.wm.fbx_import(filepath=path, anim_offset=0.0, ignore_leaf_bones=False),
}


def ask(sinew, *arguments):
    done = subprocess.run([sinew, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"FAIL sinew {' '.join(arguments)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def put_on(owner, action):
    """Lets an action drive an object or its shape keys, where it has anything for them."""
    data = owner.animation_data or owner.animation_data_create()
    data.action = action
    if hasattr(data, "action_suitable_slots"):
        slots = [slot for slot in data.action_suitable_slots if slot.name_display == owner.name]
        slots = slots or list(data.action_suitable_slots)
        if slots:
            data.action_slot = slots[0]


def play(name):
    """Puts every action of a clip on what it is for; both importers have the clip's name in those of the actions."""
    for thing in [*bpy.data.objects, *bpy.data.shape_keys]:
        if thing.animation_data is None:
            continue
        fitting = []
        for action in bpy.data.actions:
            parts = action.name.split("|")
            if name in parts and (len(parts) == 1 or parts[0] == thing.name or len(parts) == 2):
                fitting.append(action)
        if fitting:
            put_on(thing, fitting[0])


def vertices():
    graph = bpy.context.evaluated_depsgraph_get()
    points = []
    for thing in bpy.context.scene.objects:
        if thing.type != "MESH":
            continue
        posed = thing.evaluated_get(graph)
        mesh = posed.to_mesh()
        places = (posed.matrix_world @ vertex.co for vertex in mesh.vertices)
        # Blender has Z up, we have Y up.
        points.extend(Vector((place.x, place.z, -place.y)) for place in places)
        posed.to_mesh_clear()
    return points


def tree_of(points):
    tree = KDTree(len(points))
    for number, point in enumerate(points):
        tree.insert(point, number)
    tree.balance()
    return tree


def apart(ours, theirs):
    both = ((tree_of(theirs), ours), (tree_of(ours), theirs))
    return max(tree.find(point)[2] for tree, points in both for point in points)


def load(importer, path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    IMPORTERS[importer](path)


def check(sinew, model, path, importer):
    load(importer, path)
    clips = ask(sinew, "info", model, "--json")["clips"]
    bones = {bone.name for thing in bpy.data.objects if thing.type == "ARMATURE" for bone in thing.data.bones}
    actions = {part for action in bpy.data.actions for part in action.name.split("|")}
    lost = [clip["name"] for clip in clips if clip["name"] not in actions]
    rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    worst, size, joints = 0.0, 1e-6, []
    for number, clip in enumerate(clips):
        times = [clip["seconds"] * share for share in MOMENTS]
        found = ask(sinew, "eval", model, "--clip", str(number), *(f"--at={time:.9g}" for time in times))
        joints = [joint["name"] for joint in found["joints"]]
        # Afresh: what one clip moved and the next does not would stay where it was.
        load(importer, path)
        play(clip["name"])
        for time, pose in zip(times, found["poses"], strict=True):
            frame = (clip.get("start", 0.0) + time) * rate
            bpy.context.scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))
            flat = [number for mesh in pose["positions"] for number in mesh]
            ours = [Vector(flat[at:at + 3]) for at in range(0, len(flat), 3)]
            theirs = vertices()
            if not ours or not theirs:
                continue
            size = max(size, max((point - ours[0]).length for point in ours))
            off = apart(ours, theirs)
            if off > worst:
                worst, at = off, f"{clip['name']} at {time:.3f} s"
    good = not lost and worst <= TOLERANCE * size
    print(f"{'ok  ' if good else 'FAIL'} {importer}: {len(clips)} clips{f', without {lost}' if lost else ''}, "
          f"{len(bones)} bones, {len(bones & set(joints))} of them among Sinew's {len(joints)} joints, "
          f"vertices within {worst:.2e} m of {size:.2f} m{f' ({at})' if worst else ''}")
    return good


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    results = [check(*sys.argv[1:], importer) for importer in IMPORTERS]
    sys.exit(0 if all(results) else 1)


main()
