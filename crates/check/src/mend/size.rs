//! A figure in the wrong unit.

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
