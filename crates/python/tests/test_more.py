"""Retargeting, blending, graphs, images, files, checks and comparisons."""

import numpy as np
import pytest

import sinew

GRAPH = """
output = "gait"
[parameters]
speed = 1.0
[nodes]
walk = { clip = { name = "walk" } }
run = { clip = { name = "run" } }
gait = { blend_space = { by = ["speed"], points = [{ at = [1.0], node = "walk" }, { at = [3.0], node = "run" }] } }
"""


def test_retargeting_onto_the_same_body_changes_little(ossi, walk):
    made = sinew.retarget(walk, ossi)
    apart = made.sample(rate=30, space="model", form="matrix") - walk.sample(rate=30, space="model", form="matrix")
    assert np.abs(apart[..., :3, 3]).max() < 0.03
    assert made.quality["hip_ratio"] == pytest.approx(1, abs=1e-3)
    assert made.quality["foot_slide"] <= made.quality["foot_slide_source"] + 1e-4
    assert walk.quality is None


def test_the_caller_chooses_the_rate_of_keys(ossi, walk):
    made = sinew.retarget(walk, ossi, rate=10)
    assert made.quality["keys"] == 11 and made.rate == pytest.approx(10)
    with pytest.raises(ValueError, match="rate: expected keys a second above 0, found 0"):
        sinew.retarget(walk, ossi, rate=0)


def test_several_clips_are_retargeted_at_once_and_by_a_map(ossi):
    text = sinew.joint_map(ossi, ossi)
    made = sinew.retarget(list(ossi.clips)[:3], ossi, map=text, measure=False)
    assert [clip.name for clip in made] == ossi.clips.names[:3]
    with pytest.raises(sinew.RetargetError):
        sinew.retarget(ossi.clips[0], ossi, map="[joints]\nhips = 'nobody'\n")


def test_a_body_that_is_none_is_refused_with_the_command_s_sentence(arm, ossi):
    with pytest.raises(sinew.RetargetError, match="the clip's skeleton: expected a body with hips and two legs"):
        sinew.retarget(arm.clips[0], ossi)
    with pytest.raises(ValueError, match="clips: expected a clip or a list of clips"):
        sinew.retarget("walk", ossi)


def test_a_blend_of_one_clip_is_that_clip(ossi, walk):
    times = [0.0, 0.3]
    alone = sinew.blend([walk, ossi.clips["run"]], [1.0, 0.0], times)
    assert np.allclose(alone, walk.sample(times), atol=1e-5)
    by_frame = sinew.blend([walk, ossi.clips["run"]], [[1.0, 0.0], [0.0, 1.0]], times)
    assert np.allclose(by_frame[1], ossi.clips["run"].sample(times)[1], atol=1e-5)
    with pytest.raises(ValueError, match=r"weights: expected shape \(1,\) or \(2, 1\), found \(2,\)"):
        sinew.blend([walk], [1.0, 0.0], times)
    with pytest.raises(ValueError, match="at least one clip"):
        sinew.blend([], np.zeros(0), times)


def test_clips_of_two_skeletons_do_not_blend(walk, arm):
    with pytest.raises(ValueError, match="expected clips of one skeleton"):
        sinew.blend([walk, arm.clips[0]], [1.0, 1.0], [0.0])


def test_a_graph_is_played_over_arrays_of_parameters(ossi, walk):
    speeds = np.stack([np.full(20, 1.0), np.linspace(1, 3, 20)])
    played = sinew.play(ossi, GRAPH, 20, rate=30, parameters={"speed": speeds})
    assert played["local"].shape == (2, 20, 53, 7) and played["root"].shape == (2, 20, 7)
    assert not np.allclose(played["local"][0, -1], played["local"][1, -1])
    with pytest.raises(KeyError, match="there is no parameter .*pace.* there are .*speed"):
        sinew.play(ossi, GRAPH, 20, parameters={"pace": 1.0})
    with pytest.raises(ValueError, match=r"speed: expected a number or shape \(20,\) or \(runs, 20\), found \(3,\)"):
        sinew.play(ossi, GRAPH, 20, parameters={"speed": [1, 2, 3]})
    with pytest.raises(ValueError):
        sinew.play(ossi, "output = 'nothing'", 20)


def test_images_show_the_model_and_move(ossi, walk):
    images = sinew.render(ossi, [0.0, 0.4], (96, 72), clip=walk)
    assert images.shape == (2, 72, 96, 4) and images.dtype == np.uint8
    assert images[0].std() > 5 and (images[0] != images[1]).any()
    clear = sinew.render(ossi, size=(32, 32), background="transparent", floor=False)
    assert clear[0, 0, 0, 3] == 0 and clear[..., 3].max() == 255
    with pytest.raises(ValueError, match="size: expected width and height above 0"):
        sinew.render(ossi, size=(0, 10))
    with pytest.raises(ValueError, match="background: expected"):
        sinew.render(ossi, background="blue")


def test_the_camera_goes_along_and_the_floor_is_the_studios(ossi):
    run = ossi.clips["run"]
    times = np.linspace(0, run.duration, 8)
    seen = lambda **options: sinew.render(ossi, times, (64, 64), clip=run, background="transparent", **options)[..., 3] > 128
    # Beside the place that has the whole way in the image, the runner is larger where the camera follows.
    assert seen(follow="hips").sum() > 1.3 * seen(follow="none").sum()
    with pytest.raises(ValueError, match="follow: expected auto, hips or none"):
        seen(follow="me")
    floor, bare = (sinew.render(ossi, size=(96, 96), floor=floor)[0].astype(int) for floor in (True, False))
    # The shadow falls to the right behind the feet; the backdrop above is the same, without a grid.
    assert floor[60:90, 66:, :3].min() < bare[60:90, 66:, :3].min() - 6
    assert np.abs(floor - bare)[:8, :8].max() <= 1


def test_notebooks_get_an_image_and_a_moving_one(ossi, walk, arm):
    assert ossi._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"
    assert b"acTL" in walk._repr_png_()[:200]
    assert arm._repr_png_()[:4] == b"\x89PNG"


@pytest.mark.parametrize("ending", [".glb", ".fbx", ".bvh", ".skeleton_anim"])
def test_written_clips_come_back(tmp_path, walk, ending):
    path = tmp_path / f"walk{ending}"
    sinew.save(walk, path)
    back = sinew.open(path).clips[0]
    assert back.duration == pytest.approx(walk.duration, abs=0.05)
    assert not [left for left in tmp_path.iterdir() if left.name.endswith(".tmp")]


def test_what_is_neither_model_nor_clip_is_not_written(tmp_path):
    with pytest.raises(TypeError, match="expected a model or a clip to write, found ndarray"):
        sinew.save(np.zeros(3), tmp_path / "numbers.glb")


def test_a_packed_clip_comes_back_on_its_model(tmp_path, walk):
    sinew.save(walk, tmp_path / "walk.sinewclip", error=0.001)
    again = sinew.open("ossi", clips=[tmp_path / "walk.sinewclip"])
    assert again.clips.names[-1] == "walk (2)"


def test_a_model_is_written_with_other_clips(tmp_path, ossi, walk):
    made = sinew.retarget(walk, ossi)
    sinew.save(ossi.with_clips([made], keep=False), tmp_path / "one.glb")
    assert sinew.open(tmp_path / "one.glb").clips.names == ["walk"]
    with pytest.raises(ValueError, match="path: expected a name that ends in .glb"):
        sinew.save(ossi, tmp_path / "ossi.doc")


def test_arrays_of_a_clip_come_back_from_npz(tmp_path, walk, arm):
    sinew.save(walk, tmp_path / "walk.npz")
    again = sinew.load_npz(tmp_path / "walk.npz", walk.skeleton)
    assert np.allclose(again.sample(rate=30), walk.sample(rate=30), atol=1e-5)
    with pytest.raises(ValueError, match="expected a clip of 3 joints of the same names"):
        sinew.load_npz(tmp_path / "walk.npz", arm.skeleton)


def test_a_check_gives_findings_as_dicts(tmp_path, ossi):
    sinew.save(ossi, tmp_path / "ossi.glb")
    for finding in sinew.check(tmp_path / "ossi.glb", engine="godot"):
        assert {"code", "severity", "message", "why", "how"} <= finding.keys()
    with pytest.raises(KeyError, match="there is no engine"):
        sinew.check(tmp_path / "ossi.glb", engine="quake")
    with pytest.raises(KeyError, match="there is no rule"):
        sinew.check(tmp_path / "ossi.glb", only=["nonsense"])


def test_a_difference_is_measured_in_metres(ossi, walk):
    local = walk.sample(rate=30)
    local[:, 0, 0] += 0.25
    moved = ossi.with_clips([sinew.Clip.from_arrays(ossi.skeleton, local, rate=30, name="walk")], keep=False)
    found = sinew.diff(ossi.with_clips([walk], keep=False), moved, rate=10)
    assert found["clips"][0]["joints"]["worst"] == pytest.approx(0.25, abs=1e-3)


def test_converting_says_what_was_read_and_written(tmp_path):
    found = sinew.convert("ossi", tmp_path / "walk.bvh", clip="walk")
    assert found["written"]["bytes"] == (tmp_path / "walk.bvh").stat().st_size and found["written"]["clips"] == 1
