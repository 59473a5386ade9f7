"""Opening files: what a model is, and what is said about files that are none."""

import base64
import json

import numpy as np
import pytest

import sinew


def test_a_bvh_in_memory_has_its_joints_clip_and_metres(arm):
    assert arm.format == "bvh"
    assert arm.skeleton.names[:2] == ["shoulder", "elbow"]
    assert arm.skeleton.parents.tolist()[:2] == [-1, 0]
    clip = arm.clips[0]
    assert (clip.duration, clip.rate, len(clip)) == (1.0, 2.0, 3)
    assert arm.skeleton.rest[1, :3] == pytest.approx([0.3, 0, 0])


def test_clips_are_found_by_number_and_name(ossi):
    assert ossi.clips[0].name == ossi.clips[ossi.clips[0].name].name
    assert ossi.clips[-1].name == ossi.clips.names[-1]
    assert [clip.name for clip in ossi.clips] == ossi.clips.names
    assert "walk" in ossi.clips and "fly" not in ossi.clips


def test_the_clip_of_a_model_is_the_first_that_moves(arm):
    # Times 0 and 1 s, then two places.
    keys = base64.b64encode(np.array([0, 1, 0, 0, 0, 1, 0, 0], "<f4").tobytes()).decode()
    gltf = {
        "asset": {"version": "2.0"},
        "nodes": [{"name": "box"}],
        "animations": [
            {"name": "empty", "channels": [], "samplers": []},
            {"name": "slide", "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}], "samplers": [{"input": 0, "output": 1}]},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"},
            {"bufferView": 0, "byteOffset": 8, "componentType": 5126, "count": 2, "type": "VEC3"},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": 32}],
        "buffers": [{"byteLength": 32, "uri": f"data:application/octet-stream;base64,{keys}"}],
    }
    model = sinew.open(json.dumps(gltf).encode())
    assert (model.clips.names, model.clip.name) == (["empty", "slide"], "slide")
    assert arm.clip.name == arm.clips[0].name
    assert arm.with_clips([], keep=False).clip is None


def test_a_clip_that_does_not_exist_is_a_key_error_that_lists_those_there_are(ossi):
    with pytest.raises(KeyError, match='there is no clip \\\\?"fly\\\\?" among the .*walk'):
        ossi.clips["fly"]
    with pytest.raises(IndexError, match="there is no clip 99: there are"):
        ossi.clips[99]
    with pytest.raises(TypeError, match="expected a number or a name"):
        ossi.clips[1.5]


def test_a_file_that_does_not_exist_is_a_file_not_found_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing.glb"):
        sinew.open(tmp_path / "nothing.glb")


def test_a_file_that_cannot_be_used_says_what_where_expected_and_found(tmp_path):
    broken = tmp_path / "broken.bvh"
    broken.write_text("HIERARCHY\nROOT a\n{\n  OFFSET 0 x 0\n}\n")
    with pytest.raises(sinew.ReadError, match='broken.bvh: expected three numbers after OFFSET, found "x" .line 4.'):
        sinew.open(broken)
    with pytest.raises(ValueError):
        sinew.open(b"nothing that anybody reads")


def test_a_model_shows_what_a_person_wants_to_know(ossi, walk):
    assert "joints" in repr(ossi) and '"walk"' in repr(ossi)
    assert "walk" in repr(walk) and "frames/s" in repr(walk)
    assert "hips" in repr(ossi.skeleton)
    assert ossi.sizes["joints"] == len(ossi.skeleton)
    assert ossi.sizes["size"][1] > 1.0


def test_clips_of_another_file_are_added_and_say_how_they_fit(tmp_path, ossi):
    other = tmp_path / "arm.bvh"
    from conftest import ARM

    other.write_text(ARM)
    with pytest.raises(ValueError):
        sinew.open("ossi", clips=[other])
    assert ossi.sources[0][1] == "the model's own"
    with pytest.raises(ValueError, match='fit: expected "best" or "names"'):
        sinew.open("ossi", clips=[], fit="well")
