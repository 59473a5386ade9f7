//! The clips that were chosen, cut and under their new names, in place of all.
//!
//! In:  clips, and choices.
//! Out: one clip for each choice, in the order of the choices.

use sinew_scene::Clip;

use crate::{ClipChoice, EditError, cut};

/// The clips that were chosen.
///
/// # Errors
/// When a choice names no clip, or a part that a clip does not have.
pub fn choose(clips: &[Clip], choices: &[ClipChoice]) -> Result<Vec<Clip>, EditError> {
    choices.iter().map(|choice| one(clips, choice)).collect()
}

fn one(clips: &[Clip], choice: &ClipChoice) -> Result<Clip, EditError> {
    let clip = find(clips, choice)?;
    let mut made = match (choice.from, choice.to) {
        (None, None) => clip.clone(),
        (from, to) => cut(clip, from.unwrap_or(0.0), to.unwrap_or(clip.duration))?,
    };
    if let Some(name) = &choice.name {
        made.name.clone_from(name);
    }
    Ok(made)
}

fn find<'a>(clips: &'a [Clip], choice: &ClipChoice) -> Result<&'a Clip, EditError> {
    let named = clips.iter().find(|clip| clip.name == choice.clip);
    let numbered = || choice.clip.parse().ok().and_then(|number: usize| clips.get(number));
    let only = || if choice.or_only && clips.len() == 1 { clips.first() } else { None };
    named.or_else(numbered).or_else(only).ok_or_else(|| EditError::ClipNotFound {
        asked: choice.clip.clone(),
        found: clips.iter().map(|clip| clip.name.clone()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clips() -> Vec<Clip> {
        let clip = |name: &str, duration| Clip { name: name.into(), duration, ..Clip::default() };
        vec![clip("idle", 2.0), clip("Take 001", 10.0)]
    }

    fn chosen(clips: &[Clip], text: &str) -> Result<Vec<(String, f32, f64)>, EditError> {
        let made = choose(clips, &[ClipChoice::parse(text, 30.0)?])?;
        Ok(made.into_iter().map(|clip| (clip.name, clip.duration, clip.start)).collect())
    }

    #[test]
    fn a_clip_is_found_by_name_or_number_and_gets_its_new_name() {
        let clips = clips();
        assert_eq!(chosen(&clips, "idle"), Ok(vec![("idle".into(), 2.0, 0.0)]));
        assert_eq!(chosen(&clips, "run=1"), Ok(vec![("run".into(), 10.0, 0.0)]));
        assert_eq!(chosen(&clips, "run=Take 001@4..6s"), Ok(vec![("run".into(), 2.0, 4.0)]));
    }

    #[test]
    fn a_new_name_with_a_range_is_a_part_of_the_only_clip() {
        let clips = clips();
        assert_eq!(chosen(&clips[1..], "run=4..6s"), Ok(vec![("run".into(), 2.0, 4.0)]));
        let error = chosen(&clips, "run=4..6s").expect_err("there are two");
        assert_eq!(error.to_string(), "no clip \"run\"; there are: \"idle\", \"Take 001\"");
    }
}
