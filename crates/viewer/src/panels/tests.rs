//! The panels as people meet them: found by their names, clicked, typed into.

use eframe::egui::{Key, Modifiers, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use sinew::{JointId, Scene};

use super::{Thumbnails, around, over, viewport};
use crate::keys;
use crate::load::Diagnostic;
use crate::model::Model;
use crate::outline::Item;
use crate::state::{Request, State};

pub(super) fn demo() -> State {
    State { models: vec![Model::built_in("demo", sinew::demo())], ..State::default() }
}

fn open(state: State, size: Vec2) -> Harness<'static, State> {
    let mut thumbnails = Thumbnails::default();
    let mut dressed = false;
    let mut harness = Harness::builder().with_size(size).build_ui_state(
        move |ui, state: &mut State| {
            if !std::mem::replace(&mut dressed, true) {
                crate::theme::apply(ui.ctx());
            }
            for action in keys::pressed(ui.ctx()) {
                state.act(action);
            }
            let rect = around(ui, state, &mut thumbnails);
            viewport::listen(ui, state, rect);
            over(ui, state, rect);
        },
        state,
    );
    harness.run_steps(3);
    harness
}

pub(super) fn usual(state: State) -> Harness<'static, State> {
    open(state, vec2(1280.0, 800.0))
}

#[test]
fn the_play_button_pauses_and_plays() {
    let mut harness = usual(demo());
    harness.get_by_label("Pause").click();
    harness.run_steps(2);
    assert!(!harness.state().playing);
    harness.get_by_label("Play").click();
    harness.run_steps(2);
    assert!(harness.state().playing);
}

#[test]
fn every_switch_is_on_the_bar_or_in_its_menu_and_answers() {
    let mut harness = usual(demo());
    for mode in crate::modes::Switch::ALL {
        let before = *harness.state_mut().modes.at(mode);
        if harness.query_by_label(mode.label()).is_none() {
            harness.get_by_label("More").click();
            harness.run_steps(3);
        }
        harness.get_by_label(mode.label()).click();
        harness.run_steps(2);
        assert_ne!(*harness.state_mut().modes.at(mode), before, "{mode:?}");
    }
}

#[test]
fn a_small_window_keeps_the_other_switches_in_a_menu() {
    let mut harness = open(demo(), vec2(900.0, 600.0));
    assert!(harness.query_by_label("Lights").is_none());
    harness.get_by_label("More").click();
    harness.run_steps(3);
    harness.get_by_label("Lights").click();
    harness.run_steps(2);
    assert!(harness.state().modes.lights);
}

#[test]
fn a_click_in_the_tree_selects_and_the_inspector_tells_of_it() {
    let mut harness = usual(demo());
    assert!(harness.query_by_label("Quaternion").is_none());
    // The root has the name of its mesh; the next joint has one of its own.
    let name = harness.state().models[0].name_of(JointId::new(1));
    harness.get_by_label(&name).click();
    harness.run_steps(3);
    assert_eq!(harness.state().selection, Some(Item::Joint(JointId::new(1))));
    assert!(harness.query_by_label("Quaternion").is_some());
}

#[test]
fn what_is_typed_into_the_search_is_no_command() {
    let mut harness = usual(demo());
    harness.get_by_label("Search nodes").focus();
    harness.run_steps(2);
    harness.get_by_label("Search nodes").type_text("sq ");
    harness.key_press(Key::Space);
    harness.run_steps(3);
    let state = harness.state();
    assert_eq!(state.search.trim(), "sq");
    assert!(state.playing && !state.modes.skeleton);
}

#[test]
fn keys_do_what_the_sheet_says() {
    let mut harness = usual(demo());
    harness.key_press(Key::Space);
    harness.run_steps(2);
    assert!(!harness.state().playing);
    harness.key_press(Key::W);
    harness.run_steps(2);
    assert!(harness.state().modes.wireframe);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::Questionmark);
    harness.run_steps(3);
    assert!(harness.state().help);
    assert!(harness.query_by_label("half the speed").is_some());
    harness.key_press(Key::Escape);
    harness.run_steps(2);
    assert!(!harness.state().help);
}

#[test]
fn a_trouble_is_a_sentence_with_advice_and_the_window_goes_on() {
    let mut state = demo();
    state.diagnostics.push(Diagnostic {
        title: "hero.glb could not be opened".into(),
        sentence: "The file ends after 12 of 40 bytes.".into(),
        advice: "Copy it again.".into(),
    });
    let mut harness = usual(state);
    assert!(harness.query_by_label("The file ends after 12 of 40 bytes.").is_some());
    assert!(harness.query_by_label("Copy it again.").is_some());
    harness.key_press(Key::Space);
    harness.run_steps(2);
    assert!(!harness.state().playing, "keys still work");
    harness.get_by_label("Close").click();
    harness.run_steps(2);
    assert!(harness.state().diagnostics.is_empty());
}

#[test]
fn windows_of_every_size_and_scenes_of_nothing_are_shown() {
    let bare =
        || State { models: vec![Model::built_in("nothing", Scene::default())], ..State::default() };
    for size in [vec2(1.0, 1.0), vec2(40.0, 900.0), vec2(480.0, 320.0), vec2(3000.0, 60.0)] {
        for state in [demo(), bare(), State::default()] {
            let mut harness = open(state, size);
            harness.state_mut().modes.names = true;
            harness.state_mut().modes.heat = true;
            harness.run_steps(2);
        }
    }
}

#[test]
fn a_clip_without_keys_has_a_timeline() {
    let mut parts = sinew::demo().into_parts();
    let empty = sinew::Clip { name: "still".into(), ..sinew::Clip::default() };
    parts.clips = vec![empty];
    let model = Model::built_in("still", Scene::new(parts).expect("a good scene"));
    let mut harness = usual(State { models: vec![model], ..State::default() });
    harness.key_press(Key::ArrowRight);
    harness.run_steps(2);
    let state = harness.state();
    assert_eq!(state.models[0].actor.time(), 0.0);
}

#[test]
fn the_open_window_lists_a_folder_and_a_click_asks_for_the_file() {
    let folder = std::env::temp_dir().join(format!("sinew-open-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("hero.glb"), "x").expect("a file");
    let mut harness = usual(demo());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::O);
    harness.run_steps(3);
    harness.state_mut().browser.as_mut().expect("it is open").enter(folder.clone());
    harness.run_steps(2);
    harness.get_by_label("hero.glb").click();
    harness.run_steps(2);
    harness.get_by_label("Put beside").click();
    harness.run_steps(2);
    let state = harness.state();
    assert!(state.browser.is_none());
    let asked = format!("{:?}", state.requests);
    assert!(asked.contains("hero.glb") && asked.contains("Add"), "{asked}");
}

#[test]
fn a_gif_is_asked_for_with_its_size_and_told_while_it_is_made() {
    let mut harness = usual(demo());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::G);
    harness.run_steps(3);
    assert!(harness.state().ask_film);
    harness.get_by_label("once around").click();
    harness.run_steps(2);
    assert!(harness.state().film.turntable);
    harness.get_by_label("Save the GIF").click();
    harness.run_steps(2);
    assert!(!harness.state().ask_film);
    assert_eq!(harness.state_mut().requests.pop(), Some(Request::Film));
    harness.state_mut().filming = Some((3, 40));
    harness.run_steps(2);
    assert!(harness.query_by_label("Making a GIF: frame 4 of 40").is_some());
    harness.key_press(Key::W);
    harness.run_steps(2);
    assert!(harness.state().modes.wireframe, "the window is still of use");
    harness.get_by_label("Stop").click();
    harness.run_steps(2);
    assert_eq!(harness.state_mut().requests.pop(), Some(Request::StopFilm));
    harness.key_press(Key::Escape);
    harness.run_steps(2);
    assert_eq!(harness.state_mut().requests.pop(), Some(Request::StopFilm));
}

#[test]
fn images_are_saved_from_the_bar_too() {
    let mut harness = usual(demo());
    harness.get_by_label("Save").click();
    harness.run_steps(3);
    harness.get_by_label("An image").click();
    harness.run_steps(2);
    assert_eq!(harness.state_mut().requests.pop(), Some(Request::Screenshot));
}

#[test]
fn the_inspector_of_a_joint_shows_its_weights_on_the_model() {
    let mut state = demo();
    let influences = |joint: &JointId| state.models[0].influence(*joint).0 > 0;
    let joint = state.models[0].scene().skeleton().ids().find(influences).expect("one influences");
    state.select(0, Some(Item::Joint(joint)));
    let mut harness = usual(state);
    harness.get_by_label("show").click();
    harness.run_steps(2);
    assert!(harness.state().modes.heat);
    assert!(harness.query_by_label("shown").is_some());
}

#[test]
fn notes_are_a_badge_with_a_count_and_open_as_sentences() {
    let mut state = demo();
    state.models[0].report.drawing_notes = vec!["image \"skin.png\" is missing".into(); 2];
    let mut harness = usual(state);
    harness.get_by_label("2 notes").click();
    harness.run_steps(3);
    assert!(harness.query_all_by_label("image \"skin.png\" is missing").count() == 2);
}

#[test]
fn a_material_is_told_with_its_colour_and_its_missing_image() {
    use sinew::scene::{Material, MaterialId};
    let mut parts = sinew::demo().into_parts();
    parts.materials = vec![Material {
        name: "clay".into(),
        metallic: 0.25,
        roughness: 0.75,
        double_sided: true,
        ..Material::default()
    }];
    for primitive in parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.material = Some(MaterialId::new(0));
    }
    let model = Model::built_in("clay", Scene::new(parts).expect("a good scene"));
    let mut state = State { models: vec![model], ..State::default() };
    state.select(0, Some(Item::Mesh(sinew::InstanceId::new(0))));
    let harness = usual(state);
    assert!(harness.query_by_label("Material clay").is_some());
    for value in ["0.25", "0.75", "#ffffff", "opaque", "both"] {
        assert!(harness.query_by_label(value).is_some(), "{value}");
    }
}

#[test]
fn the_light_of_a_scene_file_is_its_own() {
    let mut state = demo();
    state.set = Some(crate::set::Set {
        file: "place.toml".into(),
        around: sinew::stage::Surroundings::default(),
        camera_setup: None,
    });
    let mut harness = usual(state);
    harness.get_by_label("Light and air").click();
    harness.run_steps(8);
    assert!(harness.query_by_label("of the scene file").is_some());
    assert!(harness.query_by_label("Sun height").is_none());
}

#[test]
fn the_tree_keeps_its_width_while_somebody_searches() {
    let mut harness = usual(demo());
    let width = |harness: &Harness<'static, State>| harness.get_by_label("Image").rect().left();
    let before = width(&harness);
    harness.get_by_label("Search nodes").focus();
    for letter in ["x", "y", "z"] {
        harness.get_by_label("Search nodes").type_text(letter);
        harness.run_steps(3);
    }
    assert_eq!(harness.state().search, "xyz", "the line keeps the keyboard");
    harness.run_steps(20);
    assert_eq!(width(&harness), before);
    harness.get_by_label("Clear the search").click();
    harness.run_steps(2);
    assert!(harness.state().search.is_empty());
}
