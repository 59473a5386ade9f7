"""Skinned vertices."""

import numpy as np
import pytest


def test_the_rest_pose_gives_the_rest_vertices(ossi):
    vertices = ossi.skin(ossi.skeleton.rest)
    assert vertices.shape == (1, ossi.sizes["vertices"], 3)
    assert np.allclose(vertices[0], ossi.vertices, atol=1e-5)
    assert ossi.faces.shape == (ossi.sizes["triangles"], 3) and ossi.faces.max() < ossi.sizes["vertices"]


def test_a_clip_and_its_poses_give_the_same_vertices(ossi, walk):
    times = [0.0, 0.2, 0.4]
    by_pose = ossi.skin(walk.sample(times, form="trs"), walk.morph_weights(times))
    assert np.allclose(walk.skin(times), by_pose, atol=1e-5)


def test_vertices_move_with_the_root_and_turn_with_the_axes(ossi):
    pose = ossi.skeleton.rest[None].copy()
    pose[0, 0, 0] += 0.5
    moved = ossi.skin(pose)[0]
    assert np.allclose(moved - ossi.vertices, [0.5, 0, 0], atol=1e-5)


def test_wrong_poses_say_what_was_expected_and_found(ossi):
    joints = len(ossi.skeleton)
    with pytest.raises(ValueError, match=rf"pose: expected shape \(frames, {joints}, 7\).* found \(2, 3, 7\)"):
        ossi.skin(np.zeros((2, 3, 7)))
    with pytest.raises(ValueError, match="expected a unit quaternion, found one of length 0"):
        ossi.skin(np.zeros((1, joints, 7)))
    bad = ossi.skeleton.rest[None].copy()
    bad[0, 3, 1] = np.nan
    with pytest.raises(ValueError, match=r"pose: expected finite numbers, found NaN at \[0, 3, 1\]"):
        ossi.skin(bad)
    with pytest.raises(ValueError, match="weights: expected shape"):
        ossi.skin(ossi.skeleton.rest[None], np.zeros((2, 1)))
