//! What a script does to an actor's motion: fades, joints that rotate, reach and look, and older names of all that.

mod common;

use common::{Folder, bad, run_in};
use sinew::Actor;
use sinew::glam::{Quat, Vec3};
use sinew_lua::Limits;

fn numbers(line: &str) -> Vec<f32> {
    line.split_whitespace().map(|word| word.parse().expect(line)).collect()
}

/// Where Ossi's left hand is at a time of a clip.
fn hand(clip: &str, seconds: f32) -> Vec3 {
    let mut actor = Actor::new(sinew::ossi());
    actor.play(clip).expect("a clip");
    actor.seek(seconds);
    let joint = actor.scene().skeleton().find("hand.L").expect("a hand");
    Vec3::from(actor.pose().model_from_joint()[joint.index()].translation)
}

#[test]
fn a_rotated_joint_stays_rotated_over_the_clip_until_it_is_reset() {
    let text = r#"
        function Awake()
            actor = sinew.actor("demo")
            joint = actor:joint(2)
            actor:play("wave")
            joint:rotate(0, 0, 90)
        end
        function Update(dt)
            if sinew.frame() == 3 then joint:reset() end
            print(actor:joint(3):position())
        end
    "#;
    let lines = run_in(&Folder::new(), text, Limits::default(), 5).expect("a good script");
    let mut actor = Actor::new(sinew::demo());
    actor.play("wave").expect("a clip");
    for (frame, line) in lines.iter().enumerate() {
        if frame > 0 {
            actor.advance(1.0 / 24.0);
        }
        if frame < 3 {
            actor.modify(|pose, skeleton| {
                let joint = sinew::JointId::new(1);
                let mut local = pose.local(joint);
                local.rotation *= Quat::from_rotation_z(90_f32.to_radians());
                pose.set_local(joint, local);
                pose.to_model_from(skeleton, joint);
            });
        }
        let wanted = Vec3::from(actor.pose().model_from_joint()[2].translation);
        let found = Vec3::from_slice(&numbers(line));
        assert!(found.abs_diff_eq(wanted, 1e-5), "frame {frame}: {found}, expected {wanted}");
    }
}

#[test]
fn a_hand_reaches_for_a_place_in_the_world_and_a_head_looks_at_it_until_reset() {
    let text = r#"
        function Awake()
            actor = sinew.actor("ossi")
            actor:play("idle")
            actor:place{position = {3, 0, 1}, rotation = {0, 90, 0}}
            hand, head = actor:joint("hand.L"), actor:joint("head")
            hand:reach(3.45, 1.3, 0.8)
            head:look_at(3.45, 1.3, 0.8)
        end
        function Update()
            print(hand:position())
            local m, x, y, z = head:matrix(), head:position()
            -- The head's Z axis, turned as the actor is: by a quarter about Y.
            local fx, fy, fz = m[11], m[10], -m[9]
            local dx, dy, dz = 3.45 - x, 1.3 - y, 0.8 - z
            local far = math.sqrt(dx * dx + dy * dy + dz * dz)
            print(fx * dx / far + fy * dy / far + fz * dz / far)
            if sinew.frame() == 1 then hand:reset() head:look_at() end
        end
    "#;
    let lines = run_in(&Folder::new(), text, Limits::default(), 3).expect("a good script");
    let wanted = Vec3::new(3.45, 1.3, 0.8);
    for frame in 0..2 {
        let hand = Vec3::from_slice(&numbers(&lines[2 * frame]));
        assert!(hand.abs_diff_eq(wanted, 1e-4), "frame {frame}: {hand}");
        let along: f32 = lines[2 * frame + 1].parse().expect("a number");
        assert!(along > 0.9999, "frame {frame}: the head looks {along} along");
    }
    let hand = Vec3::from_slice(&numbers(&lines[4]));
    assert!(hand.distance(wanted) > 0.2, "it hangs down again: {hand}");
}

#[test]
fn a_fade_goes_from_the_old_clip_to_the_new_one_in_its_time() {
    let text = r#"
        function Awake()
            actor = sinew.actor("ossi")
            actor:play("idle")
        end
        function Update()
            if sinew.frame() == 1 then actor:play("jump", {fade = 0.25}) end
            print(actor:joint("hand.L"):position())
        end
    "#;
    let lines = run_in(&Folder::new(), text, Limits::default(), 9).expect("a good script");
    let at = |frame: usize| Vec3::from_slice(&numbers(&lines[frame]));
    // The fade begins with frame 1, in which it has not moved, and has ended with frame 7: six frames are a quarter second.
    assert!(at(1).abs_diff_eq(hand("idle", 1.0 / 24.0), 1e-5), "{}", at(1));
    assert!(at(7).abs_diff_eq(hand("jump", 6.0 / 24.0), 1e-5), "{}", at(7));
    // Half way: at least a tenth of the way from either.
    let (old, new) = (hand("idle", 4.0 / 24.0), hand("jump", 3.0 / 24.0));
    let apart = old.distance(new);
    assert!(at(4).distance(old) > 0.1 * apart && at(4).distance(new) > 0.1 * apart, "{}", at(4));
}

#[test]
fn a_fade_may_begin_within_the_new_clip() {
    let text = r#"
        function Awake()
            actor = sinew.actor("ossi")
            actor:play("idle")
        end
        function Update()
            if sinew.frame() == 1 then actor:play("walk", {fade = 0.25, at = 0.5}) print(actor:time()) end
            print(actor:joint("hand.L"):position())
        end
    "#;
    let lines = run_in(&Folder::new(), text, Limits::default(), 9).expect("a good script");
    assert_eq!(lines[1], "0.5");
    let before = Vec3::from_slice(&numbers(&lines[2]));
    assert!(before.abs_diff_eq(hand("idle", 1.0 / 24.0), 1e-5), "{before}");
    let after = Vec3::from_slice(&numbers(&lines[8]));
    assert!(after.abs_diff_eq(hand("walk", 0.5 + 6.0 / 24.0), 1e-5), "{after}");
}

#[test]
fn a_stop_may_fade_to_the_rest_pose() {
    let text = r#"
        function Awake() actor = sinew.actor("ossi") actor:play("run") end
        function Update()
            if sinew.frame() == 2 then actor:stop({fade = 0.25}) end
            print(actor:joint("foot.L"):position())
        end
    "#;
    let lines = run_in(&Folder::new(), text, Limits::default(), 10).expect("a good script");
    let foot = |frame: usize| Vec3::from_slice(&numbers(&lines[frame]));
    let rest = {
        let actor = Actor::new(sinew::ossi());
        let joint = actor.scene().skeleton().find("foot.L").expect("a foot");
        Vec3::from(actor.pose().model_from_joint()[joint.index()].translation)
    };
    assert!(foot(3).distance(rest) > 0.05, "{}", foot(3));
    assert!(foot(8).abs_diff_eq(rest, 1e-5), "{}, expected {rest}", foot(8));
}

#[test]
fn older_names_mean_the_same_and_both_at_once_are_refused() {
    let text = r#"
        local a, b = sinew.actor("ossi"), sinew.actor("ossi")
        a:play("walk") b:play("walk")
        a:joint("head"):rotate(0, 20, 5) b:joint("head"):turn(0, 20, 5)
        a:joint("head"):translate(0, 0.1, 0) b:joint("head"):move(0, 0.1, 0)
        a:set_root_motion("root") b:set_root("root")
        a:apply_root_motion() b:carry()
        a:joint("neck"):look_at(1, 1, 3, {max_angle = 10}) b:joint("neck"):look_at(1, 1, 3, {most = 10})
        sinew.camera{eye = {1, 2, 3}, look_at = {0, 1, 0}}
        function Update()
            if sinew.frame() == 4 then a:play("run", {inertialize = 0.2}) b:play("run", {glide = 0.2}) end
            print(a:root_motion()) print(b:moved())
            print(a:position()) print(b:position())
            print(a:joint("head"):position()) print(b:joint("head"):position())
            print(a:joint("hand.L"):position()) print(b:joint("hand.L"):position())
        end
    "#;
    let lines = run_in(&Folder::new(), text, Limits::default(), 8).expect("a good script");
    for pair in lines.chunks(2) {
        assert_eq!(pair[0], pair[1]);
    }
    let last = numbers(&lines[lines.len() - 5]);
    assert!(last[2] > 0.3, "root motion moves both: {last:?}");
    let error = bad("sinew.actor('ossi'):play('run', {inertialize = 0.2, glide = 0.2})");
    let expected = "play: expected inertialize or glide, its older name, found both";
    assert!(error.message.contains(expected), "{error}");
}
