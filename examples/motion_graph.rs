//! A graph from a file: Ossi stands, walks, runs, jumps and waves as parameters say.
//!
//! ```sh
//! cargo run --example motion_graph --features toml
//! ```
//!
//! `graphs/ossi.toml` describes it; `docs/graph.md` explains how. The plan is bound to the scene once and shared; each
//! character has a playback of its own, which can be saved to bytes and restored.

use std::error::Error;
use std::sync::Arc;

use sinew::graph::{Format, read};
use sinew::motion::RootMode;
use sinew::{Actor, CompiledGraph, GraphPlayer, RootMotionPolicy, Transition};

fn main() -> Result<(), Box<dyn Error>> {
    let scene = Arc::new(sinew::ossi());
    let graph = read(include_str!("graphs/ossi.toml"), Format::Toml)?;
    let plan = Arc::new(CompiledGraph::new(&graph, Arc::clone(&scene))?);
    let mut actor = Actor::new(scene);
    actor.set_root_motion(None, RootMode::Floor, RootMotionPolicy::Apply);
    actor.start(GraphPlayer::new(plan), Transition::Cut);

    let mut saved = Vec::new();
    let (mut steps, mut last) = (0, String::new());
    for tick in 0..360 {
        let graph = actor.graph_mut().expect("it follows one");
        match tick {
            60 => graph.set("speed", 1.4)?,
            120 => graph.set("speed", 3.2)?,
            180 => graph.set("waving", 1.0)?,
            200 => graph.save(&mut saved),
            240 => graph.set("jump", 1.0)?,
            300 => graph.set("speed", 0.0)?,
            _ => {}
        }
        actor.advance(1.0 / 60.0);
        steps += actor.events().filter(|event| event.weight > 0.5).count();
        let state = actor.graph().and_then(|graph| graph.state("legs")).unwrap_or("");
        if state != last {
            let z = actor.world_from_model().translation.z;
            println!("{:4.2} s  {state:6} at {z:.2} m", tick as f32 / 60.0);
            last = state.to_owned();
        }
    }
    println!("{steps} steps, {} bytes of state", saved.len());

    // Back to when it was saved: the same frames again, to the last bit.
    let replay = |actor: &mut Actor| -> Result<Vec<u32>, Box<dyn Error>> {
        actor.graph_mut().expect("it follows one").restore(&saved)?;
        for _ in 0..30 {
            actor.advance(1.0 / 60.0);
        }
        let heads = actor.pose().model_from_joint().iter();
        Ok(heads.map(|matrix| matrix.translation.y.to_bits()).collect())
    };
    assert_eq!(replay(&mut actor)?, replay(&mut actor)?);
    assert!(steps >= 6 && last == "stand");
    Ok(())
}
