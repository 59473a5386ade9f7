//! Several clips at once, as a graph that is made here.
//!
//! In:  a base and layers, by the names of their clips. Out: a graph whose parameters are the layers' weights.

use sinew::Transition;
use sinew::graph::{Graph, GraphBuilder, Input, Node, Reference, Value};
use sinew::motion::MaskPart;
use wasm_bindgen::prelude::*;

use crate::Viewer;

/// One layer over the base.
struct Layer {
    clip: String,
    additive: bool,
    mask: Vec<String>,
}

#[wasm_bindgen]
impl Viewer {
    /// Plays a clip with layers over it, as a graph: `base` is a clip's name; each layer is
    /// `[clip, additive, joint, joint, …]`. Their weights are the parameters `weight 0`, `weight 1`, …; the base's is
    /// `base weight`. With `mix`, layers without joints share the body with the base by their weights.
    ///
    /// # Errors
    /// When a clip or a joint is not there.
    #[wasm_bindgen(js_name = playLayers)]
    pub fn play_layers(
        &mut self,
        base: &str,
        layers: &js_sys::Array,
        mix: bool,
        fade: f32,
    ) -> Result<(), JsError> {
        let layers: Vec<Layer> = layers.iter().map(|layer| layer_of(&layer)).collect();
        let graph = if mix { mixed(base, &layers) } else { layered(base, &layers) };
        let how = if fade > 0.0 { Transition::fade(fade) } else { Transition::Cut };
        self.actor_mut().start_graph(&graph, how)?;
        self.playing.forget();
        Ok(())
    }
}

fn layer_of(value: &JsValue) -> Layer {
    let words: Vec<JsValue> = js_sys::Array::from(value).iter().collect();
    let text = |value: &JsValue| value.as_string().unwrap_or_default();
    Layer {
        clip: words.first().map(text).unwrap_or_default(),
        additive: words.get(1).is_some_and(JsValue::is_truthy),
        mask: words.iter().skip(2).map(text).collect(),
    }
}

/// Each layer over all below it.
fn layered(base: &str, layers: &[Layer]) -> Graph {
    let mut graph = GraphBuilder::new();
    graph.clip("base", base);
    let mut below = "base".to_owned();
    for (index, layer) in layers.iter().enumerate() {
        let name = format!("clip {index}");
        let parameter = format!("weight {index}");
        graph.float(&parameter, 1.0);
        graph.clip(&name, &layer.clip);
        let mask = layer.mask.iter().map(MaskPart::new).collect();
        let weight = Value::Parameter(parameter);
        let node = if layer.additive {
            let reference = Reference::Clip { name: layer.clip.clone(), at: 0.0 };
            Node::Additive { base: below, add: name, weight, reference, mask }
        } else {
            Node::Layer { base: below, over: name, weight, mask }
        };
        below = format!("layer {index}");
        graph.node(&below, node);
    }
    graph.build()
}

/// All clips at once, by their weights.
fn mixed(base: &str, layers: &[Layer]) -> Graph {
    let mut graph = GraphBuilder::new();
    graph.float("base weight", 1.0);
    graph.clip("base", base);
    let mut inputs =
        vec![Input { node: "base".into(), weight: Value::Parameter("base weight".into()) }];
    for (index, layer) in layers.iter().enumerate() {
        let name = format!("clip {index}");
        let parameter = format!("weight {index}");
        graph.float(&parameter, 1.0);
        graph.clip(&name, &layer.clip);
        inputs.push(Input { node: name, weight: Value::Parameter(parameter) });
    }
    graph.node("mix", Node::Blend { inputs, in_step: false });
    graph.build()
}
