"""Clips as arrays: spaces, forms, axes, and what is refused."""

import math

import numpy as np
import pytest

import sinew

ROOT_HALF = math.sqrt(0.5)


def test_a_quarter_turn_is_the_quaternion_worked_out_by_hand(arm):
    local = arm.clips[0].sample([0.5])
    assert local.shape == (1, len(arm.skeleton), 7) and local.dtype == np.float32
    assert local[0, 0] == pytest.approx([0, 1, 0, 0, 0, ROOT_HALF, ROOT_HALF], abs=1e-6)


def test_model_space_follows_the_tree(arm):
    model = arm.clips[0].sample([0.5], space="model", form="matrix")
    assert model[0, 1, :3, 3] == pytest.approx([0, 1.3, 0], abs=1e-6)
    assert model[0, 1, 3].tolist() == [0, 0, 0, 1]
    assert model[0, 1, :3, 0] == pytest.approx([0, 1, 0], abs=1e-6)


def test_between_two_keys_a_rotation_is_half_way(arm):
    euler = arm.clips[0].sample([0.25], form="euler", order="zxy")
    assert euler[0, 0, 3:] == pytest.approx([math.pi / 4, 0, 0], abs=1e-5)


@pytest.mark.parametrize("form,width", [("quat", (7,)), ("trs", (10,)), ("6d", (9,)), ("euler", (6,)), ("axis_angle", (6,)), ("matrix", (4, 4))])
@pytest.mark.parametrize("space", ["local", "model", "world"])
def test_every_form_says_the_same_rotation(walk, form, width, space):
    times = [0.0, 0.37]
    matrix = walk.sample(times, space=space, form="matrix")
    found = walk.sample(times, space=space, form=form)
    assert found.shape == (2, len(walk.skeleton), *width)
    assert np.allclose(back(found, form), matrix[..., :3, :3], atol=2e-5)


def back(array, form):
    """Rotation matrices, worked out without Sinew."""
    if form == "matrix":
        return array[..., :3, :3]
    if form in ("quat", "trs"):
        return from_quat(array[..., 3:7].astype(np.float64))
    if form == "6d":
        x, y = array[..., 3:6], array[..., 6:9]
        return np.stack([x, y, np.cross(x, y)], axis=-1)
    if form == "euler":
        a = array[..., 3:].astype(np.float64)
        return axis(0, a[..., 0]) @ axis(1, a[..., 1]) @ axis(2, a[..., 2])
    vector = array[..., 3:].astype(np.float64)
    angle = np.linalg.norm(vector, axis=-1, keepdims=True)
    quat = np.concatenate([vector / np.maximum(angle, 1e-12) * np.sin(angle / 2), np.cos(angle / 2)], axis=-1)
    return from_quat(quat)


def from_quat(q):
    x, y, z, w = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def axis(which, angle):
    one, zero, c, s = np.ones_like(angle), np.zeros_like(angle), np.cos(angle), np.sin(angle)
    rows = {
        0: [[one, zero, zero], [zero, c, -s], [zero, s, c]],
        1: [[c, zero, s], [zero, one, zero], [-s, zero, c]],
        2: [[c, -s, zero], [s, c, zero], [zero, zero, one]],
    }[which]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def test_z_up_in_centimetres_is_the_same_motion(arm):
    clip = arm.clips[0]
    ours = clip.sample(space="model", form="matrix")
    theirs = clip.sample(space="model", form="matrix", up="z", unit="cm")
    x, y, z = np.moveaxis(ours[..., :3, 3], -1, 0)
    assert np.allclose(theirs[..., :3, 3], 100 * np.stack([x, -z, y], axis=-1), atol=1e-3)
    local = clip.sample(up="z", unit="cm")
    again = clip.skeleton.to_model(local, up="z", unit="cm")
    assert np.allclose(again, theirs, atol=1e-3)


def test_a_robot_s_axes_have_x_forward(ossi):
    clip = ossi.clips["walk"]
    ours = clip.sample([0.2], space="model", form="matrix")[..., :3, 3]
    theirs = clip.sample([0.2], space="model", form="matrix", up="z", forward="x")[..., :3, 3]
    x, y, z = np.moveaxis(ours, -1, 0)
    assert np.allclose(theirs, np.stack([z, x, y], axis=-1), atol=1e-6)


def test_world_space_is_where_the_model_is_placed(arm):
    place = np.eye(4)
    place[:3, 3] = [1, 2, 3]
    clip = arm.clips[0]
    moved = clip.sample(space="world", form="matrix", world_from_model=place)
    assert np.allclose(moved[..., :3, 3] - clip.sample(space="model", form="matrix")[..., :3, 3], [1, 2, 3], atol=1e-6)


def test_chosen_joints_come_in_the_order_asked_for(walk):
    all_joints = walk.sample([0.1])
    chosen = walk.sample([0.1], joints=["head", 0, "hips"])
    index = walk.skeleton.index
    assert np.array_equal(chosen[0], all_joints[0, [index("head"), 0, index("hips")]])


def test_results_can_be_written_into_an_array_of_ones_own(walk):
    out = np.empty((4, len(walk.skeleton), 7), np.float32)
    times = np.linspace(0, 1, 4)
    assert walk.sample(times, out=out) is out
    assert np.array_equal(out, walk.sample(times))


def test_a_long_clip_on_all_cores_gives_the_same_numbers_as_frame_by_frame(walk):
    times = np.linspace(0, walk.duration, 1500)
    whole = walk.sample(times, space="model", form="matrix")
    some = [0, 255, 256, 777, 1499]
    one_by_one = np.concatenate([walk.sample(times[at], space="model", form="matrix") for at in some])
    assert np.array_equal(whole[some], one_by_one)


def test_a_rate_gives_every_frame_and_the_last(arm):
    assert arm.clips[0].sample(rate=4).shape[0] == 5
    assert arm.clips[0].times.tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize(
    "arguments,message",
    [
        (dict(times=[float("nan")]), "times: expected seconds, found NaN at 0"),
        (dict(times=[[0.0]]), r"times: expected one axis, found shape \(1, 1\)"),
        (dict(times=["a"]), "times: expected an array of real numbers, found dtype"),
        (dict(times=[0.0], rate=30), "expected times or a rate, found both"),
        (dict(rate=0), "rate: expected frames a second above 0, found 0"),
        (dict(rate=1e12), "at most 32 GiB"),
        (dict(space="global"), 'space: expected "local", "model" or "world", found "global"'),
        (dict(form="dual"), 'form: expected "quat".* found "dual"'),
        (dict(form="euler", order="xyx"), 'order: expected "xyz".* found "xyx"'),
        (dict(up="x"), 'up: expected "y" or "z", found "x"'),
        (dict(up="z", forward="-z"), "forward: expected an axis across up"),
        (dict(unit="mile"), "unit: expected .* found"),
        (dict(unit=0), "unit: expected a number of metres above 0, found 0"),
        (dict(joints=1.5), "joints: expected a list of names and numbers"),
        (dict(times=[0.0], out=np.zeros((1, 2, 7))), r"out: expected a writable float32 array of shape \(1, 53, 7\).* found dtype float64"),
        (dict(times=[0.0], out=np.zeros((1, 2, 7), np.float32)), r"found shape \(1, 2, 7\)"),
        (dict(space="world", world_from_model=np.eye(3)), r"world_from_model: expected shape \(4, 4\), found \(3, 3\)"),
    ],
)
def test_wrong_arguments_say_what_was_expected_and_found(walk, arguments, message):
    with pytest.raises(ValueError, match=message):
        walk.sample(**arguments)


def test_unknown_joints_are_key_errors(walk):
    with pytest.raises(KeyError, match="there is no joint .*hip bone.* among the 53"):
        walk.sample([0.0], joints=["hip bone"])
    with pytest.raises(IndexError, match="there is no joint 53: expected -53 to 52"):
        walk.sample([0.0], joints=[53])


def test_a_name_is_found_without_its_namespace_where_one_joint_alone_has_it():
    from conftest import ARM

    def named(root, elbow):
        return sinew.open(ARM.replace("shoulder", root).replace("elbow", elbow).encode()).skeleton

    skeleton = named("rig:Shoulder", "rig:Elbow")
    assert skeleton.index("Elbow") == skeleton.index("rig:Elbow") == 1
    assert named("Elbow", "rig:Elbow").index("Elbow") == 0
    for joints in (("left:Elbow", "right:Elbow"), ("rig:Shoulder", "ForeElbow")):
        with pytest.raises(KeyError, match='there is no joint "Elbow"'):
            named(*joints).index("Elbow")


def test_a_list_that_claims_to_be_endless_asks_for_no_memory(ossi, walk):
    endless = range(1 << 40)
    with pytest.raises(IndexError, match="there is no joint 53"):
        walk.sample([0.0], joints=endless)
    with pytest.raises(ValueError, match="clips: expected a list of clips"):
        sinew.blend(endless, [1.0], [0.0])
    with pytest.raises(ValueError, match="clips: expected a list of clips"):
        ossi.with_clips(endless)


def test_an_array_that_may_not_be_written_is_refused(walk):
    out = np.empty((1, len(walk.skeleton), 7), np.float32)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="out: expected a writable float32 array"):
        walk.sample([0.0], out=out)


def test_joint_orders_are_found_by_body_part(ossi):
    skeleton = ossi.skeleton
    numbers = sinew.joint_order(skeleton, "mixamo", missing="nearest")
    names = sinew.joint_names("mixamo")
    assert len(numbers) == len(names)
    assert skeleton.names[numbers[names.index("mixamorig:LeftForeArm")]] == "forearm.L"
    with pytest.raises(KeyError, match="lacks .* joints of .*smplx"):
        sinew.joint_order(skeleton, "smplx")
    with pytest.raises(KeyError, match="there is no joint order"):
        ossi.clips[0].sample([0.0], joints="smurf")
