"""The scenes of the test, built in Blender from nothing.

Every mesh carries the number of its Blender vertex in its texture coordinate, u = (number + ½) / vertices,
so that a file vertex can be traced back to Blender's without trusting any position or order.
"""

from math import radians

import bpy
from mathutils import Euler, Matrix, Vector


class Rig:
    """An armature, its mesh, and the painted weights: {bone: weight} for each vertex, deforming bones only."""

    def __init__(self, armature, mesh, weights):
        self.armature, self.mesh, self.weights = armature, mesh, weights


def two_bones():
    """Two upright bones; the lower turns 30 degrees, the upper 60 more, by frame 20, and back by 40."""
    _empty(frames=(1, 40), fps=24)
    armature = _armature(
        {"Bone": ((0, 0, 0), (0, 0, 2), None, False), "Bone.001": ((0, 0, 2), (0, 0, 4), "Bone", True)}
    )
    for name, angle in {"Bone": -30, "Bone.001": -60}.items():
        bone = armature.pose.bones[name]
        bone.rotation_mode = "XYZ"
        for frame, turn in {1: 0, 20: angle, 40: 0}.items():
            bone.rotation_euler = (0, 0, radians(turn))
            bone.keyframe_insert("rotation_euler", frame=frame)
    rings = 9
    path = [Vector((0, 0, 4 * ring / (rings - 1))) for ring in range(rings)]
    shares = [0, 0, 0, 0.2, 0.5, 0.8, 1, 1, 1]
    weights = [{"Bone": 1 - share, "Bone.001": share} for share in shares for _ in range(4)]
    mesh = _tube(path, 0.25, weights)
    _bind(mesh, armature)
    return Rig(armature, mesh, weights)


CHAIN = ["根", "Rücken", "胸", "шея", "tête"]


def chain():
    """A bent chain of five off the origin, a branch, an armature and a mesh that are moved, turned and scaled,
    a constraint, a bone that does not inherit rotation, six groups on a vertex, and 30 frames a second."""
    _empty(frames=(3, 28), fps=30)
    joints = [(1, 0.5, 0.2), (1, 0.5, 1.2), (1.3, 0.2, 2.0), (1.3, 1.0, 2.4), (0.8, 1.2, 3.0), (0.8, 1.9, 3.1)]
    bones = {}
    for index, name in enumerate(CHAIN):
        head, tail = Vector(joints[index]), Vector(joints[index + 1])
        parent = CHAIN[index - 1] if index else None
        connected = index not in (0, 3)
        # The fourth bone starts away from the third's tail.
        bones[name] = (head if connected or not index else head + Vector((0.1, 0, 0.05)), tail, parent, connected)
    bones["Zweig ✿"] = ((1.5, 0.2, 1.9), (2.4, 0.1, 2.2), "Rücken", False)
    bones["helper"] = ((1, 0, 0), (1, -1, 0), "根", False)
    armature = _armature(bones, roll=0.4)
    armature.data.bones["helper"].use_deform = False
    armature.data.bones["Zweig ✿"].use_inherit_rotation = False
    armature.matrix_world = Matrix.LocRotScale((3, -2, 0.5), Euler((0.4, -0.3, 0.9)), (1.5, 1.5, 1.5))
    constraint = armature.pose.bones["tête"].constraints.new("COPY_ROTATION")
    constraint.target, constraint.subtarget, constraint.influence = armature, "helper", 0.3

    for index, name in enumerate(bones):
        bone = armature.pose.bones[name]
        bone.rotation_mode = "QUATERNION"
        for step, frame in enumerate((3, 15, 28)):
            bone.rotation_quaternion = Euler((0.3 * step, 0.2 * index * step, -0.4 * step)).to_quaternion()
            bone.location = (0.02 * step * index, 0.1 * step, 0) if not bone.bone.use_connect else (0, 0, 0)
            bone.scale = (1, 1 + 0.1 * step, 1) if name == "胸" else (1, 1, 1)
            for channel in ("rotation_quaternion", "location", "scale"):
                bone.keyframe_insert(channel, frame=frame)

    path = [(armature.matrix_world @ Vector(joint)) for joint in joints]
    deforming = [*CHAIN, "Zweig ✿"]
    # The largest four of the six, together 0.8, are 40, 30, 20 and 10 hundredths of their sum.
    strengths = [0.32, 0.24, 0.16, 0.08, 0.04, 0.02]
    weights = []
    for ring in range(len(path)):
        for side in range(4):
            turned = deforming[ring:] + deforming[:ring]
            if side == 0:
                weights.append({turned[0]: 0.7})
            elif side == 1:
                weights.append({turned[0]: 0.25, turned[1]: 0.75})
            else:
                weights.append(dict(zip(turned, strengths, strict=True)))
    placed = Matrix.LocRotScale((-1, 2, 0.3), Euler((0.1, 0.7, -0.2)), (0.8, 1.1, 0.9))
    mesh = _tube([placed.inverted() @ point for point in path], 0.2, weights, also={"pin": 0.9, "helper": 1.0})
    mesh.matrix_world = placed
    _bind(mesh, armature, keep_place=True)
    return Rig(armature, mesh, weights)


def two_roots():
    """Two roots, one of them already called `root`, an armature object that travels, a mirrored mesh object,
    and weights that are no whole percentages."""
    _empty(frames=(1, 24), fps=24)
    armature = _armature(
        {
            "left": ((-1, 0, 0), (-1, 0, 1), None, False),
            "root": ((1, 0, 0), (1, 0.5, 1), None, False),
            "tip": ((1, 0.5, 1), (1, 1, 2), "root", True),
        }
    )
    for name, axis in {"left": 0, "root": 1, "tip": 2}.items():
        bone = armature.pose.bones[name]
        bone.rotation_mode = "XYZ"
        for frame, angle in {1: 0.2, 24: 1.2}.items():
            bone.rotation_euler[axis] = angle
            bone.keyframe_insert("rotation_euler", frame=frame)
    travel(armature, 1, 24)

    path = [Vector((0.2 * ring, 0.1, 0.5 * ring)) for ring in range(4)]
    thirds = {"left": 1 / 3, "root": 1 / 3, "tip": 1 / 3}
    uneven = {"left": 0.126, "root": 0.374, "tip": 0.5}
    weights = [thirds] * 8 + [uneven] * 4 + [{"tip": 0.004, "left": 0.996}] * 4
    mesh = _tube(path, 0.3, weights)
    mesh.scale = (-1, 1.2, 1)
    _bind(mesh, armature, keep_place=True)
    return Rig(armature, mesh, weights)


def seams():
    """Six triangles between the same three points, and nothing else to tell their vertices apart but the
    weights of the second, the texture coordinate of the third, the colour of the fourth, and of the last
    two a difference no file can hold and none at all."""
    _empty(frames=(1, 2), fps=24)
    armature = _armature({"a": ((0, 0, 0), (0, 0, 1), None, False), "b": ((0, 0, 1), (0, 0, 2), "a", True)})
    corner = [(0, 0, 0), (1, 0, 0), (0, 0, 1)]
    weights = [{"a": 0.5, "b": 0.5}] * 18
    weights[3:6] = [{"a": 0.25, "b": 0.75}] * 3
    weights[12:15] = [{"a": 0.501, "b": 0.499}] * 3
    mesh = _mesh(corner * 6, [(3 * face, 3 * face + 1, 3 * face + 2) for face in range(6)], weights, {})
    for layer in mesh.data.uv_layers.active.data:
        layer.uv = (0.5, 0.5)
    colours = mesh.data.color_attributes.new("Col", "FLOAT_COLOR", "CORNER")
    mesh.data.color_attributes.active_color = colours
    for loop in range(18):
        colours.data[loop].color = (0.25, 0.5, 0.75, 1)
    for loop in range(6, 9):
        mesh.data.uv_layers.active.data[loop].uv = (0.5, 0.75)
    for loop in range(9, 12):
        colours.data[loop].color = (0.25, 0.5, 1, 1)
    _bind(mesh, armature)
    return Rig(armature, mesh, weights)


def many_bones(count, used):
    """`count` bones, all children of the first; the mesh hangs on the last `used`."""
    _empty(frames=(1, 1), fps=24)
    names = [f"b{number}" for number in range(count)]
    bones = {name: ((i, 0, 0), (i, 0, 1), names[0] if i else None, False) for i, name in enumerate(names)}
    armature = _armature(bones)
    weights = [{name: 1.0} for name in names[-used:] for _ in range(4)]
    mesh = _tube([Vector((0, 0, ring)) for ring in range(used)], 0.5, weights)
    _bind(mesh, armature)
    return Rig(armature, mesh, weights)


def grid(across, copies=1):
    """`copies` meshes of 2 · across² triangles each."""
    _empty(frames=(1, 1), fps=24)
    armature = _armature({"a": ((0, 0, 0), (0, 0, 1), None, False)})
    for copy in range(copies):
        bpy.ops.mesh.primitive_grid_add(x_subdivisions=across, y_subdivisions=across, location=(0, 0, copy))
        mesh = bpy.context.object
        mesh.vertex_groups.new(name="a").add(range(len(mesh.data.vertices)), 1.0, "REPLACE")
        _bind(mesh, armature)
    bpy.ops.object.select_all(action="DESELECT")
    return Rig(armature, mesh, None)


def rigid():
    """A box without any weights, hung on a bone."""
    _empty(frames=(1, 10), fps=24)
    armature = _armature({"a": ((0, 0, 0), (0, 1, 1), None, False), "b": ((0, 1, 1), (0, 1, 3), "a", True)})
    armature.location = (1, 2, 3)
    bone = armature.pose.bones["b"]
    bone.rotation_mode = "XYZ"
    for frame, angle in {1: 0.5, 10: 1.5}.items():
        bone.rotation_euler = (angle, 0, 0.5)
        bone.keyframe_insert("rotation_euler", frame=frame)
    weights = [{"b": 1.0}] * 8
    mesh = _tube([Vector((0, 0, 0)), Vector((0, 0.3, 1))], 0.4, weights)
    mesh.vertex_groups.clear()
    mesh.parent, mesh.parent_type, mesh.parent_bone = armature, "BONE", "b"
    mesh.location = (0.2, 0, 0)
    return Rig(armature, mesh, weights)


def travel(armature, start, end):
    """Lets the armature object itself move and turn."""
    for frame, way in {start: 0.5, end: 2.5}.items():
        armature.location, armature.rotation_euler = (way, 0, way), (0, 0, way)
        armature.keyframe_insert("location", frame=frame)
        armature.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(start)


def _empty(frames, fps):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = frames
    scene.render.fps, scene.render.fps_base = fps, 1.0


def _armature(bones, roll=0.0):
    """`bones`: name to head, tail, parent and whether it is connected."""
    data = bpy.data.armatures.new("Armature")
    armature = bpy.data.objects.new("Armature", data)
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for name, (head, tail, parent, connected) in bones.items():
        bone = data.edit_bones.new(name)
        bone.head, bone.tail, bone.roll = head, tail, roll
        if parent:
            bone.parent, bone.use_connect = data.edit_bones[parent], connected
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def _tube(path, radius, weights, also=None):
    """A closed square tube along `path`, four vertices a ring, faces outwards."""
    square = [
        Vector((-radius, -radius, 0)),
        Vector((radius, -radius, 0)),
        Vector((radius, radius, 0)),
        Vector((-radius, radius, 0)),
    ]
    points = [centre + side for centre in path for side in square]
    faces = [(3, 2, 1, 0), tuple(len(points) - 4 + side for side in range(4))]
    for ring in range(0, len(points) - 4, 4):
        faces += [(ring + i, ring + (i + 1) % 4, ring + 4 + (i + 1) % 4, ring + 4 + i) for i in range(4)]
    return _mesh(points, faces, weights, also or {})


def _mesh(points, faces, weights, also):
    data = bpy.data.meshes.new("Mesh")
    data.from_pydata([tuple(point) for point in points], [], faces)
    mesh = bpy.data.objects.new("Mesh", data)
    bpy.context.collection.objects.link(mesh)
    layer = data.uv_layers.new(name="UVMap")
    for face in data.polygons:
        for loop in face.loop_indices:
            vertex = data.loops[loop].vertex_index
            layer.data[loop].uv = ((vertex + 0.5) / len(points), 0.25 + 0.5 * (face.index % 2))
    # Groups of no bone come first, so that group numbers and bone numbers never happen to agree.
    for name, weight in also.items():
        mesh.vertex_groups.new(name=name).add(range(len(points)), weight, "REPLACE")
    for name in sorted({name for entry in weights for name in entry}, reverse=True):
        group = mesh.vertex_groups.new(name=name)
        for vertex, entry in enumerate(weights):
            if name in entry:
                group.add([vertex], entry[name], "REPLACE")
    return mesh


def _bind(mesh, armature, keep_place=False):
    mesh.modifiers.new("Armature", "ARMATURE").object = armature
    bpy.context.view_layer.update()
    mesh.parent = armature
    if keep_place:
        mesh.matrix_parent_inverse = armature.matrix_world.inverted()
    bpy.context.view_layer.update()
