"""Exports scenes built in Blender and holds the files against Blender's own evaluation of them.

    python tools/blender/test_export.py DIR       (see tools/blender/test, which finds the right Python)

Leaves DIR/NAME/ for each rig: NAME.skeleton_anim, NAME.mesh, NAME.weight, the same scene as glTF, FBX and,
where Blender still writes it, COLLADA, and expected.json:

    bones      names in file order
    frames     [{time (seconds), matrices (world from bone, one of 16 numbers, column after column, per bone)}]
    positions  [{frame, time, tolerance, points (one [x, y, z] per vertex of the .mesh)}]

all as Blender evaluates them, turned to Y up.
"""

import subprocess
import sys
import traceback
from pathlib import Path

import bpy
import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import sinew_export  # noqa: E402
import test_rigs  # noqa: E402
from sinew_export import ExportError, exporter, skeleton, weights  # noqa: E402
from test_oracle import TIGHT, blender_points, compare_with_blender, fresh, near, read, with_ending  # noqa: E402


def main(out):
    checks = [check for name, check in globals().items() if name.startswith("check_")]
    failed = []
    for check in checks:
        print(f"{check.__name__[6:].replace('_', ' ')} ...", flush=True)
        try:
            check(out)
        except Exception:
            failed.append(check.__name__)
            traceback.print_exc()
    print(
        f"Blender {bpy.app.version_string}: {len(checks) - len(failed)} of {len(checks)} checks passed; files in {out}"
    )
    for name in failed:
        print(f"FAILED: {name}")
    return 1 if failed else 0


# The rigs, held against Blender frame by frame.


def check_two_bones_match_the_known_matrices(out):
    rig = test_rigs.two_bones()
    animation, _ = compare_with_blender(rig, out, "two_bones")
    assert animation.names == ["Bone", "Bone.001"]
    assert len(animation.offsets) == 40
    near(animation.rest[0], np.identity(4), 1e-6, "rest of an upright bone")
    near(animation.rest[1][:3, 3], [0, 2, 0], 1e-6, "the second bone sits on the first")
    # Printed for the 20th frame by the reader this format comes from, columns as lines.
    half_root_three = 0.866025
    printed = [
        [[half_root_three, -0.5, 0, 0], [0.5, half_root_three, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
        [[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [1, 1.732051, 0, 1]],
    ]
    for bone, columns in enumerate(printed):
        near(animation.frame(19)[bone], np.array(columns).T, 2e-6, f"bone {bone} at frame 20")
    near(animation.frame(39)[1], animation.bind()[1], 1e-6, "the last frame is at rest")


def check_a_bent_chain_matches_blender(out):
    rig = test_rigs.chain()
    animation, mesh = compare_with_blender(rig, out, "chain")
    assert animation.names[:5] == test_rigs.CHAIN and len(animation.names) == 7, animation.names
    # 25 frames of 1/30 s are 20 of 1/24 s.
    assert len(animation.offsets) == 21
    assert max(len(influences) for influences in mesh.influences) == 4
    assert any(sorted(influences.values()) == [10, 20, 30, 40] for influences in mesh.influences)
    assert animation.names.index("helper") not in {bone for entry in mesh.influences for bone in entry}
    # A plain bone's offset is its basis matrix.
    skeleton.set_frame(bpy.context.scene, 3 + 7 * 30 / 24)
    for name in test_rigs.CHAIN[:4]:
        basis = np.array(rig.armature.pose.bones[name].matrix_basis)
        near(animation.offsets[7][animation.names.index(name)], basis, 1e-5, f"offset of {name}")


def check_two_roots_get_one(out):
    rig = test_rigs.two_roots()
    animation, mesh = compare_with_blender(rig, out, "two_roots")
    assert animation.names == ["root.001", "left", "root", "tip"], animation.names
    assert list(animation.children[0]) == [1, 2]
    near(animation.rest[0], np.identity(4), 0, "rest of the added root")
    assert {tuple(entry.items()) for entry in mesh.influences} >= {
        ((1, 34), (2, 33), (3, 33)),
        ((3, 50), (2, 37), (1, 13)),
    }


def check_a_box_hung_on_a_bone_follows_it(out):
    _, mesh = compare_with_blender(test_rigs.rigid(), out, "rigid")
    assert all(influences == {1: 100} for influences in mesh.influences)


def check_vertices_on_no_bone_stay_under_an_added_root(out):
    rig = test_rigs.two_bones()
    for group in rig.mesh.vertex_groups:
        group.remove([17, 18])
    rig.weights[17] = rig.weights[18] = {}
    test_rigs.travel(rig.armature, 1, 40)
    animation, mesh = compare_with_blender(rig, out, "loose")
    assert animation.names == ["root", "Bone", "Bone.001"], animation.names
    assert {0: 100} in mesh.influences


def check_a_bone_scaled_to_nothing_takes_its_children_along(out):
    rig = test_rigs.two_bones()
    bone = rig.armature.pose.bones["Bone"]
    for frame, size in {1: 1, 20: 0, 40: 1}.items():
        bone.scale = (size, size, size)
        bone.keyframe_insert("scale", frame=frame)
    compare_with_blender(rig, out, "vanishing")


def check_a_child_needs_no_modifier(out):
    rig = test_rigs.two_bones()
    rig.mesh.modifiers.clear()
    rig.mesh.parent_type = "ARMATURE"
    compare_with_blender(rig, out, "child")


def check_other_modifiers_are_applied(out):
    rig = test_rigs.two_bones()
    subdivide = rig.mesh.modifiers.new("Subdivision", "SUBSURF")
    subdivide.subdivision_type, subdivide.levels = "SIMPLE", 1
    rig.mesh.modifiers.move(1, 0)
    bpy.context.scene.frame_set(20)
    stem = fresh(out / "subdivided") / "subdivided"
    exporter.export(bpy.context, stem, rig.armature, [rig.mesh])
    animation, mesh = read(stem)
    posed = blender_points(rig)
    rig.armature.data.pose_position = "REST"
    bpy.context.view_layer.update()
    at_rest = blender_points(rig)
    assert len(at_rest) > 2 * len(rig.weights)
    apart = np.linalg.norm(mesh.positions[:, None] - at_rest[None], axis=2)
    assert apart.min(axis=1).max() < 1e-5, "a vertex is not Blender's"
    assert set(apart.argmin(axis=1)) == set(range(len(at_rest))), "a vertex of Blender's is missing"
    # Halfway between whole percentages lie whole ones here, so the match is tight.
    near(mesh.skinned(animation.pull(19)), posed[apart.argmin(axis=1)], TIGHT, "subdivided mesh")


# Vertices and weights.


def check_vertices_merge_only_when_all_is_equal(out):
    rig = test_rigs.seams()
    mesh = export_mesh(rig, fresh(out / "seams") / "seams")
    # Six triangles: one in three points, one of other weights, uv, colour each, and two that equal the first.
    assert len(mesh.positions) == 12 and len(mesh.triangles) == 6
    first, other_weights, other_uv, other_colour, almost, same = mesh.triangles
    assert (almost == first).all() and (same == first).all()
    assert mesh.influences[first[0]] == {0: 50, 1: 50}
    assert mesh.influences[other_weights[0]] == {1: 75, 0: 25}
    near(mesh.uvs[other_uv[0]], [0.5, 0.75], 0, "uv")
    near(mesh.colours[other_colour[0]], [0.25, 0.5, 1, 1], 1e-6, "colour")
    near(mesh.positions[first], [[0, 0, 0], [1, 0, 0], [0, 1, 0]], 0, "positions")


def check_colours_of_corners_and_of_points(out):
    folder = fresh(out / "colours")
    for domain in ("CORNER", "POINT"):
        rig = test_rigs.two_bones()
        data = rig.mesh.data
        painted = data.color_attributes.new("Paint", "FLOAT_COLOR", domain)
        data.color_attributes.active_color = painted
        for index, entry in enumerate(painted.data):
            entry.color = (index / 256, 0.25, 0.5, 0.75)
        mesh = export_mesh(rig, folder / domain.lower())
        found = {
            (round(uv[0] * 36 - 0.5), round(colour[0] * 256)) for uv, colour in zip(mesh.uvs, mesh.colours, strict=True)
        }
        if domain == "POINT":
            expected = {(vertex, vertex) for vertex in range(36)}
        else:
            expected = {(loop.vertex_index, loop.index) for loop in data.loops}
        assert found == expected, f"{domain}: {found ^ expected}"
        near(mesh.colours[:, 1:], np.tile([0.25, 0.5, 0.75], (len(mesh.colours), 1)), 0, "colours")


def check_percentages_sum_to_a_hundred(_out):
    third = 1 / 3
    assert weights.percentages({0: third, 1: third, 2: third}) == ((0, 34), (1, 33), (2, 33))
    assert weights.percentages({5: 0.1, 3: 0.1}) == ((3, 50), (5, 50))
    assert weights.percentages({0: 0.004, 1: 0.996}) == ((1, 100),)
    assert weights.percentages({0: 0.0}) == () == weights.percentages({})
    random = np.random.default_rng(1)
    for _ in range(2000):
        painted = {bone: float(weight) for bone, weight in enumerate(random.random(random.integers(1, 9)))}
        pairs = weights.percentages(painted)
        assert sum(percent for _, percent in pairs) == 100 and 1 <= len(pairs) <= 4, pairs
        assert {bone for bone, _ in pairs} <= set(sorted(painted, key=painted.get)[-4:])


def check_one_number_per_bone_in_both_files(out):
    # The mesh hangs on the last 20 of 300 bones: they must come first to fit the .weight file.
    stem = fresh(out / "many") / "many"
    rig = test_rigs.many_bones(300, 20)
    exporter.export(bpy.context, stem, rig.armature, [rig.mesh])
    animation, mesh = read(stem)
    animation.bind()
    used = {animation.names[bone] for influences in mesh.influences for bone in influences}
    assert used == {f"b{number}" for number in range(280, 300)}, used


# Time.


def check_frames_lie_a_24th_of_a_second_apart(_out):
    def times(start, end, fps, base=1.0):
        test_rigs._empty((start, end), fps)
        bpy.context.scene.render.fps_base = base
        return skeleton.frame_times(bpy.context.scene)

    assert times(1, 40, 24) == list(range(1, 41))
    assert times(7, 7, 30) == [7.0]
    assert times(0, 4, 48) == [0, 2, 4]
    assert times(0, 2, 12) == [0, 0.5, 1, 1.5, 2]
    # The last step is short: the end is still there, and never passed.
    assert times(1, 4, 30) == [1, 2.25, 3.5, 4]
    film = times(1, 240, 24000, 1001)
    assert len(film) == 241 and film[-1] == 240 and abs(film[1] - 1.999001) < 1e-6


# Doors.


def check_the_command_line_writes_the_same_bytes(out):
    folder = fresh(out / "command")
    rig = test_rigs.chain()
    exporter.export(bpy.context, folder / "direct", rig.armature, [rig.mesh])
    blend = folder / "chain.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend), check_existing=False)
    for name, extra in {"unnamed": [], "named": ["--armature", "Armature", "--mesh", "Mesh"]}.items():
        done = run_command(blend, folder / name, *extra)
        assert done.returncode == 0, done.stderr
        assert "resampled to 24" in done.stderr
        same_files(folder / "direct", folder / name)
    wrong = run_command(blend, folder / "wrong", "--armature", "nobody")
    assert wrong.returncode == 1 and "no armature object 'nobody'" in wrong.stderr, wrong.stderr
    assert not (folder / "wrong.mesh").exists()


def check_the_menu_entry_writes_the_same_bytes(out):
    folder = fresh(out / "menu")
    rig = test_rigs.chain()
    exporter.export(bpy.context, folder / "direct", rig.armature, [rig.mesh])
    sinew_export.register()
    try:
        result = bpy.ops.export_scene.sinew(filepath=str(folder / "menu.skeleton_anim"))
        assert result == {"FINISHED"}
        same_files(folder / "direct", folder / "menu")
    finally:
        sinew_export.unregister()


def check_an_armature_shown_at_rest_is_exported_in_motion(out):
    folder = fresh(out / "shown")
    rig = test_rigs.chain()
    exporter.export(bpy.context, folder / "posed", rig.armature, [rig.mesh])
    rig.armature.data.pose_position = "REST"
    exporter.export(bpy.context, folder / "resting", rig.armature, [rig.mesh])
    same_files(folder / "posed", folder / "resting")


def check_the_selection_decides(_out):
    rig = test_rigs.two_bones()
    other = bpy.data.objects.new("Other", bpy.data.armatures.new("Other"))
    bpy.context.collection.objects.link(other)
    bpy.ops.object.select_all(action="DESELECT")
    refused("select it", exporter.choose, bpy.context)
    rig.mesh.select_set(True)
    assert exporter.choose(bpy.context) == (rig.armature, [rig.mesh])
    rig.mesh.select_set(False)
    rig.armature.select_set(True)
    assert exporter.choose(bpy.context) == (rig.armature, [rig.mesh])
    other.select_set(True)
    refused("'Other'", exporter.choose, bpy.context)


# Refusals.


def check_what_does_not_fit_is_refused_and_old_files_stay(out):
    stem = fresh(out / "refused") / "kept"
    for ending in (".skeleton_anim", ".mesh", ".weight"):
        with_ending(stem, ending).write_bytes(b"old")
    for message, build in {
        "counts bones from 0 to 127": lambda: test_rigs.many_bones(300, 128),
        "room for 21845": lambda: test_rigs.grid(105),
        "84672 indices": lambda: test_rigs.grid(84, copies=2),
    }.items():
        rig = build()
        refused(message, exporter.export, bpy.context, stem, *exporter.choose(bpy.context))
    rig = test_rigs.two_bones()
    bpy.context.scene.frame_end = 65536
    refused("65536 frames are too many", skeleton.frame_times, bpy.context.scene)
    bpy.context.scene.frame_end = 2
    refused("not finite", sinew_export.files.skeleton_anim, ["a"], [[]], [np.full((4, 4), np.nan)], [])
    rig.mesh.hide_viewport = True
    refused("disabled in viewports", exporter.export, bpy.context, stem, rig.armature, [rig.mesh])
    rig.mesh.hide_viewport = False
    rig.armature.scale = (0, 0, 0)
    refused("scaled to nothing", exporter.export, bpy.context, stem, rig.armature, [])
    bpy.context.view_layer.objects.active = rig.armature
    bpy.ops.object.mode_set(mode="EDIT")
    refused("edit mode", exporter.export, bpy.context, stem, rig.armature, [rig.mesh])
    bpy.ops.object.mode_set(mode="OBJECT")
    for ending in (".skeleton_anim", ".mesh", ".weight"):
        assert with_ending(stem, ending).read_bytes() == b"old"


def check_what_is_lost_is_said(out):
    rig = test_rigs.chain()
    rig.mesh.modifiers[0].use_deform_preserve_volume = True
    rig.mesh.parent = None
    rig.mesh.keyframe_insert("location", frame=1)
    rig.mesh.location.x += 1
    rig.mesh.keyframe_insert("location", frame=20)
    _, notes = exporter.export(bpy.context, fresh(out / "notes") / "notes", rig.armature, [rig.mesh])
    for part in ("resampled to 24", "preserves volume", "moves against its armature"):
        assert any(part in note for note in notes), (part, notes)


# Words used above.


def export_mesh(rig, stem):
    exporter.export(bpy.context, stem, rig.armature, [rig.mesh])
    return read(stem)[1]


def refused(message, call, *arguments):
    try:
        call(*arguments)
    except ExportError as trouble:
        assert message in str(trouble), f"expected {message!r} in {trouble}"
    else:
        raise AssertionError(f"not refused: {message}")


def run_command(blend, stem, *extra):
    command = [sys.executable, str(HERE / "export.py"), str(blend), "--out", str(stem), *extra]
    return subprocess.run(command, capture_output=True, text=True)


def same_files(left, right):
    for ending in (".skeleton_anim", ".mesh", ".weight"):
        assert with_ending(left, ending).read_bytes() == with_ending(right, ending).read_bytes(), ending


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
