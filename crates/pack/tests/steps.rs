//! What holds until the next key and then jumps: at a frame where frames can be there, and otherwise late by 1/120 s
//! at most; and what is beside it.

use sinew_motion::{Cursor, Pose, sample};
use sinew_pack::{Options, PackError, Packed, Report, pack};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{
    AnimatedProperty, Clip, Curve, Instance, InstanceId, Interpolation, JointId, Material,
    MaterialId, Mesh, MeshId, MorphTarget, Node, Primitive, Property, PropertyId, PropertyTrack,
    Rows, Scene, SceneParts, Track, Transform, WeightTrack,
};

const BOUND: f32 = 0.000_1;
/// What a morph weight of one moves.
const REACH: f32 = 0.5;

/// An arm of two joints, a face with one morph target, and a driven colour.
fn scene(clip: Clip) -> Scene {
    let far = MorphTarget { positions: vec![Vec3::Y * REACH], ..MorphTarget::default() };
    let primitive =
        Primitive { positions: vec![Vec3::X * 0.1], morphs: vec![far], ..Primitive::default() };
    let out = Transform::from_translation(Vec3::Y * 0.2);
    Scene::new(SceneParts {
        nodes: vec![
            Node::new("upper", None, Transform::IDENTITY),
            Node::new("lower", Some(JointId::new(0)), out),
        ],
        meshes: vec![Mesh {
            primitives: vec![primitive],
            morph_names: vec!["far".into()],
            ..Mesh::default()
        }],
        instances: vec![Instance {
            joint: JointId::new(0),
            mesh: MeshId::new(0),
            skin: None,
            weights: vec![0.0],
        }],
        materials: vec![Material::default()],
        properties: vec![AnimatedProperty {
            property: Property::BaseColor(MaterialId::new(0)),
            rest: [1.0; 4],
        }],
        clips: vec![clip],
        ..SceneParts::default()
    })
    .expect("the parts fit")
}

fn track<V>(joint: usize, times: &[f32], values: Vec<V>, way: Interpolation) -> Track<V> {
    let curve = Curve::new(times.to_vec(), values, way).expect("a value for each key");
    Track { joint: JointId::new(joint), curve }
}

/// A value for each key, by turns.
fn by_turns<V: Copy>(times: &[f32], values: [V; 2]) -> Vec<V> {
    (0..times.len()).map(|key| values[key % 2]).collect()
}

fn turns(times: &[f32]) -> Track<Quat> {
    let values = by_turns(times, [Quat::IDENTITY, Quat::from_rotation_z(0.8)]);
    track(1, times, values, Interpolation::Step)
}

fn weights(times: &[f32]) -> WeightTrack {
    let rows = Rows::new(times.to_vec(), by_turns(times, [0.0, 1.0]), 1, Interpolation::Step);
    WeightTrack { instance: InstanceId::new(0), rows: rows.expect("a weight for each key") }
}

fn colours(times: &[f32]) -> PropertyTrack {
    let values = by_turns(times, [[1.0, 0.0, 0.5, 1.0], [0.0, 1.0, 0.25, 1.0]]).concat();
    let rows = Rows::new(times.to_vec(), values, 4, Interpolation::Step);
    PropertyTrack { property: PropertyId::new(0), rows: rows.expect("four for each key") }
}

/// A turn to and fro without an end, as fast as an arm: 3 m/s half a metre out.
fn swing(duration: f32) -> Track<Quat> {
    let keys = (duration * 30.0).round() as usize;
    let times: Vec<f32> = (0..=keys).map(|key| key as f32 / 30.0).collect();
    let turn = |key: usize| Quat::from_rotation_x((key as f32 * 0.2).sin());
    track(0, &times, (0..=keys).map(turn).collect(), Interpolation::Linear)
}

fn try_packed(scene: &Scene, rate: Option<f32>) -> Result<(Packed<Vec<u8>>, Report), PackError> {
    let options = Options { error: BOUND, shell: Some(0.1), rate };
    pack(scene, &scene.clips[0], &options, &|_| {})
}

fn packed(scene: &Scene) -> (Packed<Vec<u8>>, Report) {
    let (packed, report) = try_packed(scene, None).expect("it packs");
    assert!(report.error <= BOUND, "{report:?}");
    (packed, report)
}

/// Whether all is where it should be, of the skin and of the driven colour.
fn good(scene: &Scene, packed: &Packed<Vec<u8>>, time: f32) -> bool {
    let (mut exact, mut found) = (Pose::new(scene), Pose::new(scene));
    sample(&scene.clips[0], time, &mut Cursor::new(), &mut exact);
    packed.sample(time, &mut found);
    exact.to_model(scene.skeleton());
    found.to_model(scene.skeleton());
    let ends = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Y, Vec3::NEG_Z];
    let pairs = exact.model_from_joint().iter().zip(found.model_from_joint());
    let skin = pairs.flat_map(|(a, b)| {
        ends.map(|end| a.transform_point3(end * 0.1).distance(b.transform_point3(end * 0.1)))
    });
    let morph = REACH * (exact.all_weights()[0] - found.all_weights()[0]).abs();
    let colours = exact.properties()[0].iter().zip(found.properties()[0]);
    skin.fold(0.0, f32::max) + morph <= BOUND * 1.01
        && colours.into_iter().all(|(a, b)| (a - b).abs() <= 1.0 / 256.0)
}

/// Looks at ten thousand random times and close to every step: what is off must be a step that is late by 1/120 s at
/// most, and there are no more of these than the report says.
fn check(scene: &Scene, packed: &Packed<Vec<u8>>, report: &Report, steps: &[f32]) {
    let mut seed = 5_u32;
    let random = (0..10_000).map(|_| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32 * packed.duration()
    });
    let mut times: Vec<f32> = random.collect();
    for step in steps {
        // From a rounding on, which counts as at the frame.
        let hair = 3e-6 + step * 1e-6;
        times.extend([step - hair, *step, step + hair, step - 0.001, step + 0.001]);
    }
    times.retain(|time| (0.0..=packed.duration()).contains(time));
    times.sort_by(f32::total_cmp);
    let mut late = Vec::new();
    for time in times.into_iter().filter(|time| !good(scene, packed, *time)) {
        let step = steps.iter().rev().find(|step| **step <= time);
        let step = *step.unwrap_or_else(|| panic!("off before any step, at {time} s: {report:?}"));
        assert!(time - step < 1.001 / 120.0, "off at {time} s, step at {step} s: {report:?}");
        late.push(step);
    }
    late.dedup();
    // Several steps may be late in one gap between frames.
    assert!(report.jumps > 0 || late.is_empty(), "late at {late:?}: {report:?}");
    let apart = late.chunk_by(|a, b| b - a < 1.0 / 120.0).count();
    assert!(apart <= report.jumps, "late at {late:?}: {report:?}");
}

#[test]
fn steps_of_every_kind_are_at_frames_that_only_a_few_gaps_need() {
    let times = [0.0, 0.1, 0.37, 1.0];
    let vectors = |values| track(1, &times, by_turns(&times, values), Interpolation::Step);
    let clips = [
        Clip { rotations: vec![turns(&times)], ..Clip::default() },
        Clip { translations: vec![vectors([Vec3::ZERO, Vec3::X])], ..Clip::default() },
        Clip { scales: vec![vectors([Vec3::ONE, Vec3::splat(1.5)])], ..Clip::default() },
        Clip { weights: vec![weights(&times)], ..Clip::default() },
        Clip { properties: vec![colours(&times)], ..Clip::default() },
    ];
    for clip in clips {
        let scene = scene(Clip { duration: 1.0, ..clip });
        let (packed, report) = packed(&scene);
        assert!(report.jumps == 0 && report.frames <= 20, "{report:?}");
        check(&scene, &packed, &report, &times[1..]);
    }
}

#[test]
fn steps_beside_a_smooth_turn_are_at_frames_as_well() {
    let times = [0.0, 0.25, 0.55, 1.1];
    let scene = scene(Clip {
        duration: 2.0,
        rotations: vec![swing(2.0), turns(&times)],
        weights: vec![weights(&times)],
        ..Clip::default()
    });
    let (packed, report) = packed(&scene);
    assert!(report.jumps == 0, "{report:?}");
    check(&scene, &packed, &report, &times[1..]);
}

#[test]
fn steps_at_no_even_times_are_late_by_a_gap_of_a_120th_and_nothing_beside_them_is_off() {
    let times = [0.0, 0.312_34, 0.771_07, 1.517_9];
    let kinds: [fn(&[f32], &mut Clip); 3] = [
        |times, clip| clip.rotations.push(turns(times)),
        |times, clip| clip.weights.push(weights(times)),
        |times, clip| clip.properties.push(colours(times)),
    ];
    for (kind, beside) in kinds.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
        let mut clip = Clip { duration: 2.0, ..Clip::default() };
        kind(&times, &mut clip);
        if beside {
            clip.rotations.push(swing(2.0));
        }
        let scene = scene(clip);
        let (packed, report) = packed(&scene);
        // One of them may be at a frame by chance.
        assert!((1..=3).contains(&report.jumps) && report.frames < 160, "{report:?}");
        check(&scene, &packed, &report, &times[1..]);
    }
}

#[test]
fn steps_a_millisecond_apart_are_at_frames_or_one_jump() {
    // Whole milliseconds can be frames.
    let times = [0.0, 0.5, 0.501, 0.502, 1.0];
    let whole = scene(Clip { duration: 1.0, weights: vec![weights(&times)], ..Clip::default() });
    let (small, report) = packed(&whole);
    assert!(report.jumps == 0 && report.frames < 100, "{report:?}");
    check(&whole, &small, &report, &times[1..]);
    // These cannot, and there and back again is over before the next frame.
    let times = [0.0, 0.500_37, 0.501_41, 1.0];
    let odd = scene(Clip { duration: 1.0, weights: vec![weights(&times)], ..Clip::default() });
    let (small, report) = packed(&odd);
    assert!((1..=2).contains(&report.jumps) && report.frames < 100, "{report:?}");
    check(&odd, &small, &report, &times[1..]);
}

#[test]
fn thousands_of_steps_at_no_even_times_make_a_file_of_so_many_frames() {
    let mut seed = 9_u32;
    let mut time = 0.0;
    let times: Vec<f32> = std::iter::from_fn(|| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let before = time;
        time += (seed >> 8) as f32 / (1 << 24) as f32 * 0.04;
        Some(before)
    })
    .take(3000)
    .collect();
    let duration = times[2999];
    let scene = scene(Clip {
        duration,
        rotations: vec![swing(duration), turns(&times)],
        ..Clip::default()
    });
    let (packed, report) = packed(&scene);
    // A minute, and 240 frames a second at most.
    assert!((50.0..70.0).contains(&duration) && report.frames < 15_000, "{report:?}");
    assert!(report.bytes < 200_000 && report.jumps > 2000, "{report:?}");
    check(&scene, &packed, &report, &times[1..]);
}

#[test]
fn steps_too_small_to_show_ask_for_no_frames() {
    // At no even times, or frames might stand at them by chance.
    let uneven = |key: i32| key as f32 * 0.04 + 0.015 * ((key * key) as f32).sin().abs();
    let times: Vec<f32> = (0..50).map(uneven).collect();
    let values = by_turns(&times, [Vec3::ZERO, Vec3::X * 1e-6]);
    let scene = scene(Clip {
        duration: 2.0,
        translations: vec![track(1, &times, values, Interpolation::Step)],
        rotations: vec![turns(&[0.0, 0.1, 0.37, 2.0])],
        ..Clip::default()
    });
    let (_, report) = packed(&scene);
    // The three that show are at frames; fifty more would not be.
    assert!(report.jumps == 0 && report.frames <= 40, "{report:?}");
}

#[test]
fn steps_of_a_clip_shorter_than_any_gap_are_late_too() {
    let times = [0.0, 0.007_3, 0.02];
    let scene = scene(Clip { duration: 0.02, rotations: vec![turns(&times)], ..Clip::default() });
    let (packed, report) = packed(&scene);
    check(&scene, &packed, &report, &times[1..]);
}

#[test]
fn a_rate_that_was_asked_for_is_kept_where_it_is_dense_and_refused_where_it_is_not() {
    let times = [0.0, 0.312_34, 1.0];
    let scene = scene(Clip { duration: 1.0, rotations: vec![turns(&times)], ..Clip::default() });
    let (packed, report) = try_packed(&scene, Some(120.0)).expect("dense enough");
    assert!(report.jumps == 1 && report.frames == 121 && report.even, "{report:?}");
    check(&scene, &packed, &report, &times[1..]);
    let told = try_packed(&scene, Some(30.0)).expect_err("a step between two frames").to_string();
    assert!(told.contains("the best is ") && told.contains("jumps or bends between"), "{told}");
}
