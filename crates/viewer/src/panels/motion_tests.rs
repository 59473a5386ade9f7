//! Graphs, targets and fades as people meet them in the panels.

use eframe::egui::accesskit::Role;
use eframe::egui::pos2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use super::tests::{demo, usual};
use crate::graph::tests::gait;
use crate::keys::Action;
use crate::outline::Item;
use crate::state::State;

#[test]
fn a_graph_has_a_slider_a_checkbox_a_button_and_its_state() {
    let mut harness = usual(gait());
    let value = |harness: &Harness<'_, State>, name: &str| {
        let graph = harness.state().models[0].actor.graph();
        graph.and_then(|graph| graph.value(name)).expect("a parameter")
    };
    harness.get_by_role_and_label(Role::CheckBox, "waving").click();
    harness.get_by_role_and_label(Role::Button, "jump").click();
    harness.run_steps(2);
    assert_eq!((value(&harness, "waving"), value(&harness, "jump")), (1.0, 1.0));
    assert!(harness.query_by_role_and_label(Role::Slider, "speed").is_some());
    assert!(harness.query_by_label("stand").is_some());
    let graph = harness.state_mut().models[0].actor.graph_mut().expect("it plays");
    graph.set("speed", 2.0).expect("a parameter");
    harness.state_mut().advance(0.1);
    harness.run_steps(2);
    assert!(harness.query_by_label("go").is_some() && harness.query_by_label("stand").is_none());
}

#[test]
fn leaving_a_graph_brings_the_clips_back() {
    let mut harness = usual(gait());
    harness.get_by_label("Leave").click();
    harness.run_steps(3);
    assert!(harness.state().models[0].graph.is_none());
    assert_eq!(harness.state().models[0].clip(), Some(sinew::ClipId::new(0)));
    assert!(harness.query_by_label("Leave").is_none());
}

#[test]
fn the_switch_reach_makes_a_ring_that_a_drag_moves_and_the_camera_stays() {
    let mut state = demo();
    let joint = state.models[0].scene().skeleton().ids().last().expect("joints");
    state.select(0, Some(Item::Joint(joint)));
    state.act(Action::Play);
    let mut harness = usual(state);
    harness.get_by_label("Reach").click();
    harness.run_steps(3);
    let before = harness.state().models[0].targets[0].position;
    let orbit = harness.state().orbit;
    let rect = harness.get_by_label("Image").rect();
    let at = super::viewport::project(harness.state(), rect, before).expect("seen");
    let to = pos2(at.x + 40.0, at.y - 25.0);
    harness.hover_at(at);
    harness.run_steps(1);
    harness.drag_at(at);
    harness.run_steps(1);
    for share in [0.5, 1.0] {
        harness.hover_at(at + (to - at) * share);
        harness.run_steps(1);
    }
    harness.drop_at(to);
    harness.run_steps(2);
    let after = harness.state().models[0].targets[0].position;
    let seen = super::viewport::project(harness.state(), rect, after).expect("seen");
    assert!(seen.distance(to) < 2.0, "{seen:?} is not {to:?}");
    assert_eq!((harness.state().orbit, harness.state().held_target), (orbit, None));
    harness.get_by_label("Reach").click();
    harness.run_steps(2);
    assert!(harness.state().models[0].targets.is_empty());
}
