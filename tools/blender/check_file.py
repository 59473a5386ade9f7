"""Compares what Blender makes of an FBX or GLB file with what Sinew says of the model it was written from.

usage: check_file.py SINEW MODEL FILE

Blender's importers of that format (two of FBX) are asked for the joints, the names of the clips, and the vertices at a few frames of each clip. Vertices
are compared by place: the farthest that any is from the nearest of the other side. Clips that leave out bones may be
seen as apart: Blender's importer of glTF files seems to keep such bones in the pose of the first clip.
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

OPTIONS = {"anim_offset": 0.0, "ignore_leaf_bones": False}
IMPORTERS = {
    "import_scene.fbx": lambda path, **more: bpy.ops.import_scene.fbx(filepath=path, **OPTIONS, **more),
    "wm.fbx_import": lambda path, **more: bpy.ops.wm.fbx_import(filepath=path, **OPTIONS, **more),
}
GLTF_IMPORTERS = {
    "import_scene.gltf": lambda path, **_: bpy.ops.import_scene.gltf(filepath=path, disable_bone_shape=True),
}


def ask(sinew, *arguments):
    done = subprocess.run([sinew, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"FAIL sinew {' '.join(arguments)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def is_of(action, clip):
    """Whether an action is of a clip: one importer names it after the clip, the other OBJECT|CLIP|LAYER."""
    return action.name == clip or f"|{clip}|" in action.name or action.name.endswith(f"|{clip}")


def play(clip):
    """Puts a clip's actions on what they are for, and takes all others off."""
    for thing in [*bpy.data.objects, *bpy.data.shape_keys]:
        data = thing.animation_data
        if data is None:
            continue
        prefix = "OB" if isinstance(thing, bpy.types.Object) else "KE"
        data.action = None
        # The importer of glTF files keeps every clip there, and they would play together.
        for track in list(data.nla_tracks):
            data.nla_tracks.remove(track)
        for action in (action for action in bpy.data.actions if is_of(action, clip)):
            named = action.name.startswith(f"{thing.name}|")
            slots = [slot for slot in action.slots if slot.identifier == prefix + thing.name]
            slots = slots or [slot for slot in action.slots if named and slot.identifier.startswith(prefix)]
            if slots:
                data.action = action
                data.action_slot = slots[0]
                break


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
    """Loads the file with all that moves at rest, as it is where a clip says nothing."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    IMPORTERS[importer](path, use_anim=False)
    rest = {thing.name: thing.matrix_basis.copy() for thing in bpy.data.objects}
    bpy.ops.wm.read_factory_settings(use_empty=True)
    IMPORTERS[importer](path, use_anim=True)
    for thing in bpy.data.objects:
        thing.matrix_basis = rest[thing.name]
        if thing.type == "ARMATURE":
            # A bone that is joined to the end of another could not be moved away from it.
            bpy.context.view_layer.objects.active = thing
            bpy.ops.object.mode_set(mode="EDIT")
            for bone in thing.data.edit_bones:
                bone.use_connect = False
            bpy.ops.object.mode_set(mode="OBJECT")


def check(sinew, model, path, importer):
    load(importer, path)
    clips = ask(sinew, "info", model, "--json")["clips"]
    bones = {bone.name for thing in bpy.data.objects if thing.type == "ARMATURE" for bone in thing.data.bones}
    for number, clip in enumerate(clips):
        clip["name"] = clip["name"] or (f"Anim_{number}" if "gltf" in importer else f"clip_{number}")
    lost = [clip["name"] for clip in clips if not any(is_of(action, clip["name"]) for action in bpy.data.actions)]
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
    # The joints of every skin, at least, are bones.
    skinned = max((skin["joints"] for skin in ask(sinew, "info", model, "--json")["skins"]), default=0)
    good = not lost and worst <= TOLERANCE * size and len(bones & set(joints)) >= skinned
    print(f"{'ok  ' if good else 'FAIL'} {importer}: {len(clips)} clips{f', without {lost}' if lost else ''}, "
          f"{len(bones)} bones, {len(bones & set(joints))} of them among Sinew's {len(joints)} joints, "
          f"vertices within {worst:.2e} m of {size:.2f} m{f' ({at})' if worst else ''}")
    return good


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    results = []
    if sys.argv[3].lower().endswith((".glb", ".gltf")):
        IMPORTERS.clear()
        IMPORTERS.update(GLTF_IMPORTERS)
    for importer in IMPORTERS:
        try:
            results.append(check(*sys.argv[1:], importer))
        except RuntimeError as error:
            print(f"FAIL {importer}: Blender's importer raised {str(error).strip().splitlines()[-1]}")
            results.append(False)
    sys.exit(0 if all(results) else 1)


main()
