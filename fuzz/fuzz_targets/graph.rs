//! A graph file: refused, or compiled for the demo rig and played, with every parameter set.
#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use sinew::graph::{Format, read};
use sinew::{Animator, CompiledGraph, GraphPlayer, Scene, Transition};
use sinew_fuzz::mutate;

static SCENE: LazyLock<Arc<Scene>> = LazyLock::new(|| Arc::new(sinew::demo()));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate(data, size, max_size, seed) });

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for format in [Format::Toml, Format::Json] {
        let Ok(graph) = read(text, format) else { continue };
        let Ok(graph) = CompiledGraph::new(&graph, Arc::clone(&SCENE)) else { continue };
        let names: Vec<String> = graph.parameters().map(|(name, _)| name.to_owned()).collect();
        let mut animator = Animator::new(Arc::clone(&SCENE));
        animator.start(GraphPlayer::new(graph), Transition::fade(0.1));
        for step in 0..12 {
            let graph = animator.graph_mut().expect("it plays one");
            for (index, name) in names.iter().enumerate() {
                let value = ((step + index) % 4) as f32 - 1.0;
                graph.set(name, value).expect("a parameter of the graph");
            }
            animator.advance(0.07);
            animator.events().for_each(drop);
            assert!(animator.pose().model_from_joint().iter().all(|joint| joint.is_finite()));
        }
        animator.seek(0.3);
    }
});
