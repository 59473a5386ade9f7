//! Bodies are found in the rigs of every program, by names and by shape.

mod common;

use common::{Variant, mixamo, nameless, odd_axes, ossi, t_pose};
use glam::Vec3;
use sinew_retarget::{Body, BodyPart, RetargetError, Side, Slot, Why};
use sinew_scene::{JointId, Node, Scene, SceneParts, Transform};

/// What each of Ossi's main joints is called by some program: root, hips, spine (three), neck, head, then of
/// one side clavicle, upper arm, forearm, hand, thigh, shin, foot, toes; `{s}` is the side in its way.
struct Program {
    name: &'static str,
    sides: [&'static str; 2],
    middle: [&'static str; 7],
    limbs: [&'static str; 8],
}

const PROGRAMS: &[Program] = &[
    Program {
        name: "Mixamo",
        sides: ["Left", "Right"],
        middle: [
            "Armature",
            "mixamorig:Hips",
            "mixamorig:Spine",
            "mixamorig:Spine1",
            "mixamorig:Spine2",
            "mixamorig:Neck",
            "mixamorig:Head",
        ],
        limbs: [
            "mixamorig:{s}Shoulder",
            "mixamorig:{s}Arm",
            "mixamorig:{s}ForeArm",
            "mixamorig:{s}Hand",
            "mixamorig:{s}UpLeg",
            "mixamorig:{s}Leg",
            "mixamorig:{s}Foot",
            "mixamorig:{s}ToeBase",
        ],
    },
    Program {
        name: "Mixamo without its prefix, SFU, LaFAN",
        sides: ["Left", "Right"],
        middle: ["Scene", "Hips", "Spine", "Spine1", "Spine2", "Neck", "Head"],
        limbs: [
            "{s}Shoulder",
            "{s}Arm",
            "{s}ForeArm",
            "{s}Hand",
            "{s}UpLeg",
            "{s}Leg",
            "{s}Foot",
            "{s}Toe",
        ],
    },
    Program {
        name: "Rigify's deforming bones",
        sides: ["L", "R"],
        middle: [
            "root",
            "DEF-spine",
            "DEF-spine.001",
            "DEF-spine.002",
            "DEF-spine.003",
            "DEF-spine.004",
            "DEF-spine.006",
        ],
        limbs: [
            "DEF-shoulder.{s}",
            "DEF-upper_arm.{s}",
            "DEF-forearm.{s}",
            "DEF-hand.{s}",
            "DEF-thigh.{s}",
            "DEF-shin.{s}",
            "DEF-foot.{s}",
            "DEF-toe.{s}",
        ],
    },
    Program {
        name: "Blender's human metarig",
        sides: ["L", "R"],
        middle: [
            "metarig",
            "spine",
            "spine.001",
            "spine.002",
            "spine.003",
            "spine.004",
            "spine.005",
        ],
        limbs: [
            "shoulder.{s}",
            "upper_arm.{s}",
            "forearm.{s}",
            "hand.{s}",
            "thigh.{s}",
            "shin.{s}",
            "foot.{s}",
            "toe.{s}",
        ],
    },
    Program {
        name: "Unreal's mannequin",
        sides: ["l", "r"],
        middle: ["root", "pelvis", "spine_01", "spine_02", "spine_03", "neck_01", "head"],
        limbs: [
            "clavicle_{s}",
            "upperarm_{s}",
            "lowerarm_{s}",
            "hand_{s}",
            "thigh_{s}",
            "calf_{s}",
            "foot_{s}",
            "ball_{s}",
        ],
    },
    Program {
        name: "VRM",
        sides: ["left", "right"],
        middle: ["Root", "hips", "spine", "chest", "upperChest", "neck", "head"],
        limbs: [
            "{s}Shoulder",
            "{s}UpperArm",
            "{s}LowerArm",
            "{s}Hand",
            "{s}UpperLeg",
            "{s}LowerLeg",
            "{s}Foot",
            "{s}Toes",
        ],
    },
    Program {
        name: "VRoid",
        sides: ["L", "R"],
        middle: [
            "Root",
            "J_Bip_C_Hips",
            "J_Bip_C_Spine",
            "J_Bip_C_Chest",
            "J_Bip_C_UpperChest",
            "J_Bip_C_Neck",
            "J_Bip_C_Head",
        ],
        limbs: [
            "J_Bip_{s}_Shoulder",
            "J_Bip_{s}_UpperArm",
            "J_Bip_{s}_LowerArm",
            "J_Bip_{s}_Hand",
            "J_Bip_{s}_UpperLeg",
            "J_Bip_{s}_LowerLeg",
            "J_Bip_{s}_Foot",
            "J_Bip_{s}_ToeBase",
        ],
    },
    Program {
        name: "Doom 3",
        sides: ["L", "R"],
        middle: ["origin", "Hips", "Waist", "Chest", "UPTORSO", "loneck", "Head"],
        limbs: [
            "{s}shoulder",
            "{s}uparm",
            "{s}loarm",
            "{s}hand",
            "{s}upleg",
            "{s}loleg",
            "{s}foot",
            "{s}toe",
        ],
    },
    Program {
        name: "3ds Max Biped",
        sides: ["L", "R"],
        middle: [
            "Bip01",
            "Bip01 Pelvis",
            "Bip01 Spine",
            "Bip01 Spine1",
            "Bip01 Spine2",
            "Bip01 Neck",
            "Bip01 Head",
        ],
        limbs: [
            "Bip01 {s} Clavicle",
            "Bip01 {s} UpperArm",
            "Bip01 {s} Forearm",
            "Bip01 {s} Hand",
            "Bip01 {s} Thigh",
            "Bip01 {s} Calf",
            "Bip01 {s} Foot",
            "Bip01 {s} Toe0",
        ],
    },
    Program {
        name: "Biovision",
        sides: ["Left", "Right"],
        middle: ["Scene", "Hips", "Ab", "Chest", "Chest2", "Neck", "Head"],
        limbs: [
            "{s}Collar",
            "{s}Shoulder",
            "{s}Elbow",
            "{s}Wrist",
            "{s}Hip",
            "{s}Knee",
            "{s}Ankle",
            "{s}Toes",
        ],
    },
    Program {
        name: "Bandai Namco",
        sides: ["L", "R"],
        middle: ["joint_Root", "Hips", "Spine", "Chest", "Chest2", "Neck", "Head"],
        limbs: [
            "Shoulder_{s}",
            "UpperArm_{s}",
            "LowerArm_{s}",
            "Hand_{s}",
            "UpperLeg_{s}",
            "LowerLeg_{s}",
            "Foot_{s}",
            "Toes_{s}",
        ],
    },
    Program {
        name: "CMU's own names",
        sides: ["l", "r"],
        middle: ["scene", "root", "lowerback", "upperback", "thorax", "lowerneck", "head"],
        limbs: [
            "{s}clavicle",
            "{s}humerus",
            "{s}radius",
            "{s}wrist",
            "{s}femur",
            "{s}tibia",
            "{s}foot",
            "{s}toes",
        ],
    },
    Program {
        name: "Poser and DAZ",
        sides: ["l", "r"],
        middle: ["Figure", "hip", "abdomen", "chest", "chestUpper", "neck", "head"],
        limbs: [
            "{s}Collar",
            "{s}Shldr",
            "{s}ForeArm",
            "{s}Hand",
            "{s}Thigh",
            "{s}Shin",
            "{s}Foot",
            "{s}Toe",
        ],
    },
];

const LIMBS: [(&str, BodyPart); 8] = [
    ("clavicle", BodyPart::Clavicle),
    ("upper_arm", BodyPart::UpperArm),
    ("forearm", BodyPart::Forearm),
    ("hand", BodyPart::Hand),
    ("thigh", BodyPart::Thigh),
    ("shin", BodyPart::Shin),
    ("foot", BodyPart::Foot),
    ("toes", BodyPart::Toes),
];

/// Ossi's joints under a program's names; fingers are left out, and all axes are odd.
fn rig(program: &Program) -> (Scene, Vec<Option<usize>>) {
    let variant = Variant { rest: t_pose, axes: odd_axes, ..Variant::default() };
    let whole = variant.scene();
    let mut kept: Vec<Option<usize>> = vec![None];
    let mut nodes = vec![whole.skeleton().nodes()[0].clone()];
    for (at, node) in ossi().skeleton().nodes().iter().enumerate() {
        let middle = ["root", "hips", "spine", "chest", "upper_chest", "neck", "head"];
        let name = match middle.iter().position(|name| *name == node.name) {
            Some(at) => Some(program.middle[at].to_owned()),
            None => node.name.split_once('.').and_then(|(stem, side)| {
                let at = LIMBS.iter().position(|(name, _)| *name == stem)?;
                let side = program.sides[usize::from(side == "R")];
                Some(program.limbs[at].replace("{s}", side))
            }),
        };
        let Some(name) = name else {
            kept.push(None);
            continue;
        };
        let mut made = whole.skeleton().nodes()[at + 1].clone();
        made.name = name;
        made.parent = Some(JointId::new(
            node.parent.map_or(0, |parent| kept[parent.index() + 1].expect("kept")),
        ));
        kept.push(Some(nodes.len()));
        nodes.push(made);
    }
    (Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("a rig"), kept)
}

fn name(scene: &Scene, body: &Body, slot: Slot) -> String {
    body.joint(slot).map_or("none".into(), |joint| scene.skeleton().node(joint).name.clone())
}

#[test]
fn every_programs_limbs_are_found_by_name() {
    for program in PROGRAMS {
        let (scene, _) = rig(program);
        let body = Body::find(&scene).unwrap_or_else(|error| panic!("{}: {error}", program.name));
        for (side, sign) in Side::BOTH.into_iter().zip(program.sides) {
            for (at, (_, part)) in LIMBS.into_iter().enumerate() {
                let wanted = program.limbs[at].replace("{s}", sign);
                assert_eq!(
                    name(&scene, &body, Slot::of(side, part)),
                    wanted,
                    "{}: {part:?}",
                    program.name
                );
            }
        }
        assert_eq!(
            name(&scene, &body, Slot::middle(BodyPart::Hips)),
            program.middle[1],
            "{}",
            program.name
        );
        assert_eq!(
            name(&scene, &body, Slot::middle(BodyPart::Head)),
            program.middle[6],
            "{}",
            program.name
        );
        let spine = body.joints(Slot::middle(BodyPart::Spine));
        let spine: Vec<&str> =
            spine.iter().map(|&id| &scene.skeleton().node(id).name[..]).collect();
        assert_eq!(spine, program.middle[2..5], "{}", program.name);
        let neck = body.joints(Slot::middle(BodyPart::Neck));
        assert_eq!(neck.len(), 1, "{}", program.name);
    }
}

#[test]
fn where_names_say_nothing_the_shape_does() {
    let scene =
        Variant { rename: nameless, rest: t_pose, axes: odd_axes, ..Variant::default() }.scene();
    let body = Body::find(&scene).expect("two legs, two arms and a head are a body");
    for slot in Slot::all().filter(|slot| slot.part != BodyPart::Root) {
        let found: Vec<usize> = body.joints(slot).iter().map(|joint| joint.index() - 1).collect();
        let ossi_body = Body::find(ossi()).expect("Ossi has a body");
        let wanted: Vec<usize> = ossi_body.joints(slot).iter().map(|joint| joint.index()).collect();
        assert_eq!(found, wanted, "{slot}");
    }
    assert_eq!(body.why(Slot::of(Side::Left, BodyPart::Shin)), Some(Why::Shape));
}

#[test]
fn an_arm_without_a_hand_is_found_beside_one_that_has_it() {
    let variant = Variant { rest: t_pose, rename: nameless, ..Variant::default() };
    let whole = variant.scene();
    let skeleton = ossi().skeleton();
    // Nodes of the variant come one after Ossi's.
    let gone = skeleton.find("hand.R").expect("Ossi has one").index() + 1;
    let (mut kept, mut nodes) = (Vec::new(), Vec::new());
    for (at, node) in whole.skeleton().nodes().iter().enumerate() {
        let above = node.parent.map(|parent| kept[parent.index()]);
        let lost = at == gone || above == Some(None);
        kept.push((!lost).then_some(nodes.len()));
        if !lost {
            let mut node = node.clone();
            node.parent = above.flatten().map(JointId::new);
            nodes.push(node);
        }
    }
    let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("a rig");
    let body = Body::find(&scene).expect("a body");
    for side in Side::BOTH {
        let letter = if side == Side::Left { "L" } else { "R" };
        for (part, stem) in [(BodyPart::UpperArm, "upper_arm"), (BodyPart::Forearm, "forearm")] {
            let expected = nameless(&format!("{stem}.{letter}"));
            assert_eq!(name(&scene, &body, Slot::of(side, part)), expected, "{side:?} {stem}");
        }
    }
    assert_eq!(body.joint(Slot::of(Side::Right, BodyPart::Hand)), None);
    assert_eq!(name(&scene, &body, Slot::middle(BodyPart::Head)), nameless("head"));
}

#[test]
fn fingers_are_found_by_name_with_three_joints_each() {
    let scene = Variant { rename: mixamo, ..Variant::default() }.scene();
    let body = Body::find(&scene).expect("a body");
    for part in BodyPart::FINGERS {
        assert_eq!(body.joints(Slot::of(Side::Right, part)).len(), 3, "{part:?}");
    }
    let little = body.joint(Slot::of(Side::Left, BodyPart::Little)).expect("a little finger");
    assert_eq!(scene.skeleton().node(little).name, "mixamorig:LeftHandPinky1");
}

#[test]
fn a_rig_that_calls_right_what_is_left_is_read_by_its_toes() {
    let swap = |name: &str| match name.rsplit_once('.') {
        Some((stem, "L")) => format!("{stem}.R"),
        Some((stem, "R")) => format!("{stem}.L"),
        _ => name.to_owned(),
    };
    let scene = Variant { rename: swap, ..Variant::default() }.scene();
    let body = Body::find(&scene).expect("a body");
    assert_eq!(name(&scene, &body, Slot::of(Side::Left, BodyPart::Thigh)), "thigh.R");
    assert_eq!(name(&scene, &body, Slot::of(Side::Left, BodyPart::Hand)), "hand.R");
}

#[test]
fn what_has_no_legs_is_no_body_and_is_said_to_be_none() {
    let node = |name: &str, parent: Option<usize>, y: f32| {
        Node::new(name, parent.map(JointId::new), Transform::from_translation(Vec3::Y * y))
    };
    let snake =
        vec![node("head", None, 1.0), node("neck", Some(0), -0.1), node("tail", Some(1), -0.5)];
    let scene = Scene::new(SceneParts { nodes: snake, ..SceneParts::default() }).expect("a scene");
    let Err(RetargetError::NoBody(message)) = Body::find(&scene) else {
        panic!("a snake has no legs")
    };
    assert!(
        message.contains("hips") && message.contains("\"head\", \"neck\", \"tail\""),
        "{message}"
    );
    assert!(Body::find(&Scene::default()).is_err());
    // One leg is not enough.
    let one_leg = Variant {
        rename: |name| if name.starts_with("thigh.R") { "x".into() } else { name.into() },
        ..Variant::default()
    };
    let mut parts = one_leg.scene().into_parts();
    let cut = parts.nodes.iter().position(|node| node.name == "x").expect("the right thigh");
    parts.nodes.truncate(cut);
    let scene = Scene::new(parts).expect("a scene");
    let Err(RetargetError::NoBody(message)) = Body::find(&scene) else {
        panic!("one leg is not enough")
    };
    assert!(message.contains("right_thigh") || message.contains("hips"), "{message}");
}
