"""Arrays back into clips, IK on batches, speeds, contacts, many clips at once."""

import numpy as np
import pytest

import sinew


def test_a_clip_made_of_its_own_samples_gives_them_again(walk):
    times = walk.times
    local = walk.sample(times, form="trs")
    again = sinew.Clip.from_arrays(walk.skeleton, local, times=times, name="again")
    assert again.name == "again" and again.duration == walk.duration
    assert np.allclose(again.sample(times, form="matrix"), walk.sample(times, form="matrix"), atol=1e-5)


def test_a_clip_from_arrays_in_other_axes_is_the_same_clip(walk):
    theirs = walk.sample(rate=30, form="matrix", up="z", unit="cm")
    again = sinew.Clip.from_arrays(walk.skeleton, theirs, rate=30, up="z", unit="cm")
    assert np.allclose(again.sample(rate=30, form="matrix"), walk.sample(rate=30, form="matrix"), atol=1e-4)


def test_only_joints_that_leave_their_rest_pose_get_tracks(arm):
    rest = np.repeat(arm.skeleton.rest[None], 4, axis=0)
    rest[2, 1, 3:] = [0, 0, np.sqrt(0.5), np.sqrt(0.5)]
    clip = sinew.Clip.from_arrays(arm.skeleton, rest, rate=10)
    assert clip.animated == [1] and clip.keys == 4


@pytest.mark.parametrize(
    "change,message",
    [
        (dict(local=np.zeros((0, 53, 7)), rate=30), "expected at least one frame, found none"),
        (dict(rate=None), "expected a rate or times of the frames, found both or neither"),
        (dict(rate=-1), "rate: expected frames a second above 0, found -1"),
        (dict(rate=None, times=[0.0]), "times: expected 2, one per frame, found 1"),
        (dict(rate=None, times=[1.0, 0.0]), "times: expected seconds from 0 that do not fall"),
        (dict(local=np.zeros((2, 4, 7))), r"local: expected shape \(frames, 53, 7\)"),
        (dict(weights=np.zeros((3, 1))), "weights: expected shape"),
    ],
)
def test_wrong_arrays_are_refused(walk, change, message):
    arguments = {"local": walk.sample([0.0, 0.1]), "rate": 30, **change}
    with pytest.raises(ValueError, match=message):
        sinew.Clip.from_arrays(walk.skeleton, arguments.pop("local"), **arguments)


def test_composing_poses_gives_the_clip_s_own_model_matrices(walk):
    local = walk.sample(rate=30, form="trs")
    assert np.allclose(walk.skeleton.to_model(local), walk.sample(rate=30, space="model", form="matrix"), atol=1e-5)
    one = walk.skeleton.to_model(local[3])
    assert one.shape == (1, 53, 4, 4)


def test_a_hand_reaches_a_place_in_every_frame(ossi, walk):
    local = walk.sample(rate=30)
    shoulder = walk.sample(rate=30, space="model", form="matrix", joints=["upper_arm.L"])[:, 0, :3, 3]
    targets = shoulder + [0.1, 0.0, 0.3]
    pose, off = ossi.skeleton.reach(local, "hand.L", targets)
    assert (off < 1e-3).all()
    hand = ossi.skeleton.to_model(pose, joints=["hand.L"])[:, 0, :3, 3]
    assert np.abs(hand - targets).max() < 2e-3
    chain, off = ossi.skeleton.reach(local, "hand.L", targets, first="clavicle.L")
    assert (off < 5e-3).all() and not np.allclose(chain, pose)
    with pytest.raises(ValueError, match="targets: expected shape"):
        ossi.skeleton.reach(local, "hand.L", targets[:2])


def test_speeds_of_a_shoulder_are_as_worked_out_by_hand(arm):
    # From 0.5 s to 1 s the shoulder goes 10 cm along X and the elbow turns back by 90 degrees.
    speeds = arm.clips[0].velocities([0.75], over=0.1)
    assert speeds[0, 0] == pytest.approx([0.2, 0, 0, 0, 0, 0], abs=1e-4)
    assert speeds[0, 1, 3:] == pytest.approx([0, 0, -np.pi], abs=1e-3)
    assert arm.clips[0].velocities([0.75], unit="cm", over=0.1)[0, 0, 0] == pytest.approx(20, abs=1e-2)


def test_feet_of_a_walk_take_turns(walk):
    stands = walk.contacts(rate=60)
    assert stands.dtype == bool and stands.shape == (61, 2)
    assert stands.any(axis=0).all() and not stands.all(axis=0).any()
    with pytest.raises(ValueError, match="times: expected seconds that rise"):
        walk.contacts([1.0, 0.0])


def test_feet_need_a_body(arm):
    with pytest.raises(sinew.RetargetError, match="expected a body"):
        arm.clips[0].contacts()


def test_the_root_path_is_on_the_floor(walk, arm):
    path = walk.root_path(rate=30)
    assert path.shape == (31, 7) and (path[:, 1] == 0).all()
    assert np.allclose(np.linalg.norm(path[:, 3:], axis=1), 1, atol=1e-5)
    assert arm.clips[0].root_path([1.0], joint="shoulder")[0, :3] == pytest.approx([0.1, 0, 0], abs=1e-6)


def test_many_clips_make_one_array(ossi):
    array, lengths = sinew.padded(ossi.clips, rate=10, fill=-1)
    assert array.shape == (len(ossi.clips), lengths.max(), 53, 7)
    flat, starts = sinew.ragged(ossi.clips, rate=10)
    assert starts[-1] == len(flat) == lengths.sum()
    for row, length, start in zip(array, lengths, starts):
        assert np.array_equal(row[:length], flat[start : start + length]) and (row[length:] == -1).all()
    with pytest.raises(ValueError, match="expected at least one clip, found none"):
        sinew.padded([])


def test_windows_of_a_list_are_those_of_its_array():
    assert sinew.windows([1, 2, 3], 2, 1).tolist() == [[1, 2], [2, 3]]
    assert sinew.windows([1], 2).shape == (0, 2)


def test_windows_are_views():
    array = np.zeros((10, 3), np.float32)
    found = sinew.windows(array, 4, 2)
    assert found.shape == (4, 4, 3) and np.shares_memory(found, array)
    assert sinew.windows(array, 20).shape == (0, 20, 3)
    with pytest.raises(ValueError, match="at least 1"):
        sinew.windows(array, 0)


def test_arrays_go_to_other_libraries_without_a_copy(walk):
    array = walk.sample(rate=30)
    shared = np.from_dlpack(array)
    assert np.shares_memory(shared, array)
