//! What is written as BVH is what is read again: joints in the same places at every frame.

#[allow(dead_code)]
mod corners;
#[allow(dead_code)]
mod rigs;

use corners::posed;
use glam::{Quat, Vec3};
use rigs::{joint, rig, scene, twist, vectors};
use sinew_export::{BvhOptions, BvhPositions, Exported, RotationOrder, bvh};
use sinew_import::NoFiles;
use sinew_scene::{Clip, Interpolation, Node, Scene, SceneParts, Transform};

fn write(scene: &Scene, clip: &Clip, options: &BvhOptions) -> Exported {
    bvh(scene, clip, options).expect("it can be written")
}

fn read(file: &Exported) -> Scene {
    sinew_import::read(&file.bytes, &NoFiles).expect("a file that was just written").scene
}

/// The farthest that a joint of the file is from the scene's of that name, over all frames.
fn apart(scene: &Scene, clip: &Clip, back: &Scene) -> f32 {
    let mut worst = 0.0_f32;
    let ends = |name: &str| name.ends_with("_End");
    let times = back.clips[0].rotations[0].curve.times().clone();
    for &time in times.iter() {
        let (here, there) =
            (posed(scene, Some(clip), time), posed(back, Some(&back.clips[0]), time));
        for found in back.skeleton().ids().filter(|found| !ends(&back[*found].name)) {
            let at = scene.skeleton().find(&back[found].name).expect("a joint of the scene");
            let place = |pose: &sinew_motion::Pose, at: sinew_scene::JointId| {
                Vec3::from(pose.model_from_joint()[at.index()].translation)
            };
            worst = worst.max(place(&here, at).distance(place(&there, found)));
        }
    }
    worst
}

fn text(file: &Exported) -> &str {
    std::str::from_utf8(&file.bytes).expect("plain text")
}

#[test]
fn ossis_walk_comes_back_in_every_order_of_angles() {
    let ossi = sinew_ossi::ossi();
    let walk = ossi.clip("walk").expect("it walks");
    use RotationOrder as Order;
    for order in [Order::Xyz, Order::Xzy, Order::Yxz, Order::Yzx, Order::Zxy, Order::Zyx] {
        let file = write(&ossi, walk, &BvhOptions { order, ..BvhOptions::default() });
        let back = read(&file);
        let worst = apart(&ossi, walk, &back);
        assert!(worst < 1e-4, "{order:?}: {worst}");
        assert!((back.clips[0].duration - walk.duration).abs() < 0.04, "{order:?}");
    }
}

#[test]
fn centimetres_of_a_person_are_read_as_centimetres() {
    let ossi = sinew_ossi::ossi();
    let walk = ossi.clip("walk").expect("it walks");
    let back = read(&write(&ossi, walk, &BvhOptions { scale: 100.0, ..BvhOptions::default() }));
    let worst = apart(&ossi, walk, &back);
    assert!(worst < 1e-4, "{worst}");
}

#[test]
fn the_rest_pose_of_the_file_is_that_of_the_rig() {
    let ossi = sinew_ossi::ossi();
    let walk = ossi.clip("walk").expect("it walks");
    let back = read(&write(&ossi, walk, &BvhOptions::default()));
    let (here, there) = (posed(&ossi, None, 0.0), posed(&back, None, 0.0));
    let root = back[joint(0)].name.clone();
    let shift =
        here.model_from_joint()[ossi.skeleton().find(&root).expect("it").index()].translation;
    for found in back.skeleton().ids() {
        let Some(at) = ossi.skeleton().find(&back[found].name) else { continue };
        let expected = here.model_from_joint()[at.index()].translation - shift;
        let place = there.model_from_joint()[found.index()].translation;
        assert!(place.abs_diff_eq(expected, 1e-5), "{}: {place} {expected}", back[found].name);
    }
}

#[test]
fn nodes_above_the_joints_and_their_scale_are_worked_in() {
    let scene = scene(SceneParts { clips: vec![twist()], ..rig() });
    let file = write(&scene, &scene.clips[0], &BvhOptions::default());
    assert!(text(&file).starts_with("HIERARCHY\nROOT low\n"), "{}", text(&file));
    assert_eq!(text(&file).matches("CHANNELS 6").count(), 1, "only the root moves");
    let back = read(&file);
    let worst = apart(&scene, &scene.clips[0], &back);
    assert!(worst < 1e-5, "{worst}");
}

#[test]
fn a_stretched_limb_gets_positions_or_a_note_of_what_is_lost() {
    let stretch = vectors(
        3,
        &[(0.0, Vec3::new(0.0, 0.5, 0.0)), (2.0, Vec3::new(0.0, 0.7, 0.0))],
        Interpolation::Linear,
    );
    let scale = vectors(1, &[(0.0, Vec3::ONE), (2.0, Vec3::splat(1.25))], Interpolation::Linear);
    let clip = Clip { translations: vec![stretch], scales: vec![scale], ..twist() };
    let scene = scene(SceneParts { clips: vec![clip], ..rig() });
    let clip = &scene.clips[0];
    let file = write(&scene, clip, &BvhOptions::default());
    let scale = "BVH has no scale: the size of \"low\" changes by a factor of 1.250 in the clip and not in the file";
    assert!(file.notes.iter().any(|note| note == scale), "{:?}", file.notes);
    let worst = apart(&scene, clip, &read(&file));
    assert!(worst < 1e-5, "{worst}");

    let fixed = BvhOptions { positions: BvhPositions::Root, ..BvhOptions::default() };
    let file = write(&scene, clip, &fixed);
    let worst = apart(&scene, clip, &read(&file)) * 1e3;
    let said = format!("joints are up to {worst:.2} mm from the clip's, at \"high\" at 2.000 s");
    assert!(worst > 300.0 && file.notes.contains(&said), "{worst} {:?}", file.notes);
}

#[test]
fn a_file_written_twice_is_the_same_file() {
    let ossi = sinew_ossi::ossi();
    let first = write(&ossi, ossi.clip("walk").expect("it walks"), &BvhOptions::default());
    let back = read(&first);
    let second = write(&back, &back.clips[0], &BvhOptions::default());
    let [a, b] = [&first, &second].map(|file| text(file).split("MOTION").next().map(str::to_owned));
    assert_eq!(a, b, "the hierarchy, its end sites too");
    let worst = apart(&back, &back.clips[0], &read(&second));
    assert!(worst < 1e-5, "{worst}");
}

#[test]
fn names_are_safe_and_unique_and_joints_can_be_chosen() {
    let mut parts = rig();
    for (at, name) in ["", "a {b}\n", "a {b}\n", "\u{7}"].into_iter().enumerate() {
        parts.nodes[at].name = name.into();
    }
    let scene = scene(SceneParts { clips: vec![twist()], ..parts });
    let names = |options: &BvhOptions| {
        let file = write(&scene, &scene.clips[0], options);
        let lines = text(&file).lines().map(str::trim).map(str::to_owned);
        let found = lines.filter_map(|line| {
            let (kind, name) = line.split_once(' ')?;
            ["ROOT", "JOINT"].contains(&kind).then(|| name.to_owned())
        });
        found.collect::<Vec<String>>()
    };
    assert_eq!(names(&BvhOptions::default()), ["a__b_", "a__b__2", "_"]);
    let chosen =
        BvhOptions { root: Some(joint(0)), joints: Some(vec![joint(3)]), ..BvhOptions::default() };
    assert_eq!(names(&chosen), ["joint_0", "_"]);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let told = |scene: &Scene, options: &BvhOptions| {
        bvh(scene, &Clip::default(), options).expect_err("it makes no sense").to_string()
    };
    let options = BvhOptions::default();
    assert_eq!(told(&Scene::default(), &options), "expected a scene with joints, found no node");
    let scene = scene(rig());
    let wrong = BvhOptions { scale: 0.0, ..options.clone() };
    assert_eq!(told(&scene, &wrong), "expected a scale above zero, found 0");
    let wrong = BvhOptions { frame_rate: Some(f32::NAN), ..options.clone() };
    assert_eq!(told(&scene, &wrong), "expected a frame rate above zero, found NaN");
    let wrong = BvhOptions { root: Some(joint(99)), ..options };
    assert_eq!(told(&scene, &wrong), "expected a joint below 5, found 99");
    let endless = Clip { duration: 1e30, ..Clip::default() };
    let error = bvh(&scene, &endless, &BvhOptions::default()).expect_err("it has no end");
    assert!(error.to_string().starts_with("expected at most"), "{error}");
}

#[test]
fn flat_joints_and_several_trees_are_no_trouble() {
    let mut parts = rig();
    parts.nodes[2].rest.scale = Vec3::ZERO;
    parts.nodes.push(Node::new("prop", None, Transform::IDENTITY));
    let prop = vectors(5, &[(0.0, Vec3::X), (1.0, Vec3::Y)], Interpolation::Linear);
    let spin = rigs::rotations(5, &[(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_x(1.0))]);
    let clip = Clip { translations: vec![prop], rotations: vec![spin], ..twist() };
    let scene = scene(SceneParts { clips: vec![clip], ..parts });
    let file = write(&scene, &scene.clips[0], &BvhOptions::default());
    let said = "a BVH file has one root: 1 joint is in another tree than \"low\" and left out";
    assert!(file.notes.iter().any(|note| note == said), "{:?}", file.notes);
    let still = read(&write(&scene, &Clip::default(), &BvhOptions::default()));
    assert_eq!(still.clips[0].duration, 0.0);
}
