//! The images of docs/guide, made anew.
//!
//! ```sh
//! cargo run --example guide_images --features film,toml -- docs/guide
//! ```

mod studio;

use std::error::Error;
use std::sync::Arc;

use sinew::glam::{Affine3A, Quat, Vec3};
use sinew::graph::{Format, Graph, read};
use sinew::motion::{Feet, Ground, RootMode, ik::LookAt, ik::TwoBone};
use sinew::pack::{Options, pack};
use sinew::render::{BoneStyle, Floor};
use sinew::retarget::{JointMap, retarget};
use sinew::scene::{Node, SceneParts};
use sinew::{Actor, GroundProbe, JointId, Modifier, Scene, Stage, Transform, Transition};
use studio::{BLUE, RED, Studio};

type Done = Result<(), Box<dyn Error>>;

const FRAME: f32 = 1.0 / 60.0;

/// An empty image, seen a little from above, of something about six metres wide.
fn wide(actor: &Actor) -> Result<Studio, Box<dyn Error>> {
    Studio::new(actor, Vec3::new(0.0, 1.6, 9.0), Vec3::new(0.0, 0.85, 0.0))
}

fn beside(actor: &mut Actor, x: f32) {
    let facing = Quat::from_rotation_y(0.6);
    actor.place(Affine3A::from_rotation_translation(facing, Vec3::X * x));
}

fn graph() -> Result<Graph, Box<dyn Error>> {
    Ok(read(include_str!("graphs/ossi.toml"), Format::Toml)?)
}

fn blend(folder: &str) -> Done {
    let mut actor = Actor::new(sinew::ossi());
    let mut studio = wide(&actor)?;
    for step in 0..5 {
        actor.start_graph(&graph()?, Transition::Cut)?;
        actor.set_parameter("speed", 1.4 + 0.45 * step as f32)?;
        actor.advance(2.0);
        beside(&mut actor, -2.6 + 1.3 * step as f32);
        studio.add(&actor);
    }
    studio.save(&format!("{folder}/blend.png"))
}

fn states(folder: &str) -> Done {
    let mut actor = Actor::new(sinew::ossi());
    let mut studio = wide(&actor)?;
    actor.start_graph(&graph()?, Transition::Cut)?;
    let moments = [
        ("speed", 0.0, 0.5),
        ("speed", 1.4, 0.9),
        ("speed", 3.2, 0.9),
        ("jump", 1.0, 0.45),
        ("speed", 0.0, 2.0),
    ];
    for (step, (parameter, value, seconds)) in moments.into_iter().enumerate() {
        actor.set_parameter(parameter, value)?;
        actor.advance(seconds);
        beside(&mut actor, -2.6 + 1.3 * step as f32);
        actor.update();
        studio.add(&actor);
    }
    studio.save(&format!("{folder}/states.png"))
}

fn feet_and_look(folder: &str) -> Done {
    let slope = |at: Vec3| 0.35 * at.x + 0.02;
    let mut actor = Actor::new(sinew::ossi());
    actor.play("idle")?;
    let skeleton = actor.scene().skeleton();
    let joint = |name: &str| skeleton.find(name).ok_or(format!("there is no {name}"));
    let feet = Feet::new(skeleton, joint("hips")?, &[joint("foot.L")?, joint("foot.R")?]);
    let look = LookAt::new(&[joint("neck")?, joint("head")?], Vec3::Z, Vec3::Y);
    let probe =
        move |at: Vec3| Some(Ground { height: slope(at), normal: Vec3::new(-0.35, 1.0, 0.0) });
    let feet = Modifier::Feet(feet?, GroundProbe::new(probe));
    actor.modifiers_mut().add(feet);
    let look = actor.modifiers_mut().add(Modifier::LookAt(look?));
    let ball = Vec3::new(1.1, 1.75, 0.9);
    actor.modifiers_mut().set_target(look, ball);
    for _ in 0..120 {
        actor.advance(FRAME);
    }
    let mut studio = Studio::new(&actor, Vec3::new(0.9, 1.4, 4.6), Vec3::new(0.25, 0.85, 0.0))?;
    studio.add(&actor);
    studio.ball(ball, 0.09, RED);
    for step in -8..=8 {
        let across = step as f32 * 0.15;
        let at = |x: f32, z: f32| Vec3::new(x, slope(Vec3::X * x), z);
        studio.line(at(-1.2, across), at(1.2, across), BLUE);
        studio.line(at(across, -1.2), at(across, 1.2), BLUE);
    }
    studio.frame.floor = Floor::NONE;
    studio.save(&format!("{folder}/feet_and_look.png"))
}

/// Ossi's bones two thirds as long, under other names, with other axes.
fn child(ossi: &Scene) -> Result<Scene, Box<dyn Error>> {
    let axes = Quat::from_rotation_x(-0.5) * Quat::from_rotation_z(1.2);
    let made = ossi.skeleton().nodes().iter().map(|node| {
        let above = if node.parent.is_some() { axes } else { Quat::IDENTITY };
        let translation = above.inverse() * (node.rest.translation * 0.66);
        let rest = Transform { translation, rotation: above.inverse() * axes, scale: Vec3::ONE };
        Node::new(node.name.replace('.', "_").to_uppercase(), node.parent, rest)
    });
    Ok(Scene::new(SceneParts { nodes: made.collect(), ..SceneParts::default() })?)
}

fn retargeting(folder: &str) -> Done {
    let ossi = sinew::ossi();
    let child = child(&ossi)?;
    let map = JointMap::find(&ossi, &child)?;
    let walk = ossi.clip("dance").ok_or("Ossi dances")?;
    let made = retarget(walk, &ossi, &child, &map, &Default::default())?;
    let mut parts = child.into_parts();
    parts.clips = vec![made.clip];
    let mut actors = [Actor::new(ossi), Actor::new(Scene::new(parts)?)];
    let mut studio = wide(&actors[0])?;
    for moment in 0..3 {
        for (actor, aside) in actors.iter_mut().zip([-0.5, 0.5]) {
            actor.play("dance")?;
            actor.seek(0.4 + 0.35 * moment as f32);
            beside(actor, -2.1 + 2.1 * moment as f32 + aside);
        }
        studio.add(&actors[0]);
        let place = actors[1].world_from_model();
        let joints = actors[1].pose().model_from_joint().iter();
        let world: Vec<Affine3A> = joints.map(|joint| place * *joint).collect();
        let skeleton = actors[1].scene().skeleton();
        studio.frame.overlay.skeleton(skeleton, &world, &BoneStyle::default());
    }
    studio.save(&format!("{folder}/retarget.png"))
}

fn root_motion(folder: &str) -> Done {
    let mut actor = Actor::new(sinew::ossi());
    let root = actor.scene().skeleton().find("root");
    actor.set_root_motion(root, RootMode::Floor, sinew::RootMotionPolicy::Apply);
    actor.place(Affine3A::from_rotation_translation(Quat::from_rotation_y(1.57), Vec3::X * -2.8));
    actor.play("walk")?;
    let mut studio = wide(&actor)?;
    let hips = actor.scene().skeleton().find("hips").map_or(0, JointId::index);
    let at = |actor: &Actor| {
        let joint = actor.pose().model_from_joint()[hips];
        Vec3::from((actor.world_from_model() * joint).translation)
    };
    let mut last = at(&actor);
    for frame in 0..=240 {
        if frame % 60 == 0 {
            studio.add(&actor);
        }
        actor.advance(FRAME);
        let next = at(&actor);
        studio.line(last, next, RED);
        studio.line(last.with_y(0.01), next.with_y(0.01), BLUE);
        last = next;
    }
    studio.save(&format!("{folder}/root_motion.png"))
}

fn ik(folder: &str) -> Done {
    let mut actor = Actor::new(sinew::ossi());
    actor.play("idle")?;
    let mut studio = wide(&actor)?;
    let skeleton = actor.scene().skeleton();
    let hand = skeleton.find("hand.L").ok_or("a hand")?;
    let arm = TwoBone::new(skeleton, hand)?;
    let arm = actor.modifiers_mut().add(Modifier::TwoBone(arm));
    for (step, height) in [0.7, 1.1, 1.5].into_iter().enumerate() {
        beside(&mut actor, -2.0 + 2.0 * step as f32);
        let ball = actor.world_from_model().transform_point3(Vec3::new(0.35, height, 0.35));
        actor.modifiers_mut().set_target(arm, ball);
        actor.advance(FRAME);
        studio.add(&actor);
        studio.ball(ball, 0.07, RED);
    }
    studio.save(&format!("{folder}/ik.png"))
}

fn packing(folder: &str) -> Done {
    let scene = Arc::new(sinew::ossi());
    let walk = scene.clip("walk").ok_or("Ossi walks")?;
    let options = Options { error: 0.001, ..Options::default() };
    let (packed, report) = pack(&scene, walk, &options, &|_| ())?;
    println!("{} bytes of {}", packed.bytes().len(), report.raw);
    let mut actor = Actor::new(Arc::clone(&scene));
    let mut studio = wide(&actor)?;
    for step in 0..4 {
        match step % 2 {
            0 => actor.play("walk")?,
            _ => actor.start(Arc::new(packed.clone()), Transition::Cut),
        }
        actor.seek(if step < 2 { 0.1 } else { 0.45 });
        beside(&mut actor, -2.1 + 1.4 * step as f32);
        studio.add(&actor);
    }
    studio.save(&format!("{folder}/packing.png"))
}

fn stage(path: &str, seconds: f64, out: String) -> Done {
    let mut stage = Stage::open(path)?;
    stage.seek(seconds);
    sinew::film::save_png(&stage.render_image(480, 300)?, &out)?;
    println!("{out}");
    Ok(())
}

fn main() -> Done {
    let folder = &std::env::args().nth(1).unwrap_or_else(|| "target".into());
    // Checks of all examples pass the name of an image that one of them would make.
    let folder = folder.strip_suffix("/guide_images.png").unwrap_or(folder);
    blend(folder)?;
    states(folder)?;
    feet_and_look(folder)?;
    retargeting(folder)?;
    root_motion(folder)?;
    ik(folder)?;
    packing(folder)?;
    stage("ossi", 0.5, format!("{folder}/image.png"))?;
    stage("examples/scenes/walk.toml", 0.5, format!("{folder}/scenes.png"))
}
