//! A figure in the wrong unit, or lying down.

use glam::Quat;
use sinew_import::Imported;
use sinew_scene::{Scene, SceneParts};

use crate::{CheckOptions, check};

/// What units are mistaken for each other: centimetres, millimetres, decimetres, inches.
const FACTORS: [f32; 8] = [0.01, 100.0, 0.001, 1000.0, 0.1, 10.0, 0.0254, 39.37];
/// A person's height, in metres.
const SHORTEST: f64 = 0.8;
const TALLEST: f64 = 3.0;

/// Scales a figure that is too small or too tall by the unit that makes a person of it.
pub(super) fn person(parts: &mut SceneParts) -> Option<String> {
    let model = Imported::from(Scene::new(parts.clone()).ok()?);
    let options = CheckOptions { only: vec!["scale"], ..CheckOptions::default() };
    let found = check(&model, &options);
    let tall = found.iter().find(|finding| finding.measured.unit == "m")?.measured.value;
    let fits = |factor: &f32| (SHORTEST..=TALLEST).contains(&(tall * f64::from(*factor)));
    let factor = FACTORS.into_iter().find(fits)?;
    sinew_edit::scale(parts, factor).ok()?;
    Some(format!("scaled by {factor}: the figure is {:.2} m tall", tall * f64::from(factor)))
}

/// Turns a figure that lies down by the quarter turns that bring its spine nearest to the vertical.
pub(super) fn stand_up(parts: &mut SceneParts) -> Option<String> {
    let model = Imported::from(Scene::new(parts.clone()).ok()?);
    let options = CheckOptions { only: vec!["up-axis"], ..CheckOptions::default() };
    if check(&model, &options).is_empty() {
        return None;
    }
    let spine = crate::rules::spine(&model)?.normalize();
    let [quarter, half] = [90_f32, 180.0].map(f32::to_radians);
    let turns = [
        ("90° about X", Quat::from_rotation_x(quarter)),
        ("-90° about X", Quat::from_rotation_x(-quarter)),
        ("90° about Z", Quat::from_rotation_z(quarter)),
        ("-90° about Z", Quat::from_rotation_z(-quarter)),
        ("180° about X", Quat::from_rotation_x(half)),
    ];
    let up = |(_, turn): &(&str, Quat)| (*turn * spine).y;
    let (name, turn) = turns.into_iter().max_by(|a, b| up(a).total_cmp(&up(b)))?;
    sinew_edit::turn(parts, turn);
    Some(format!("turned by {name}: the figure stands"))
}
