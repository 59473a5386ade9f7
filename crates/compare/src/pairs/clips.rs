//! Which clips belong together.
//!
//! In:  two scenes, and the pairs that were asked for.
//! Out: pairs in the order of A; each clip is in one at most.

use sinew_scene::Scene;

use super::{pair_by_key, stem};
use crate::CompareError;
use crate::report::ClipMatch;

/// Two clips by number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ClipPair {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) how: ClipMatch,
}

/// Pairs clips: as asked for, else by name, by stem, and the last one left of each.
pub(crate) fn pair(
    a: &Scene,
    b: &Scene,
    asked: &[(String, String)],
) -> Result<Vec<ClipPair>, CompareError> {
    if !asked.is_empty() {
        let pair = |(of_a, of_b): &(String, String)| {
            let (a, b) = (find('A', a, of_a)?, find('B', b, of_b)?);
            Ok(ClipPair { a, b, how: ClipMatch::Asked })
        };
        return asked.iter().map(pair).collect();
    }
    let mut pairs: Vec<ClipPair> = Vec::new();
    let names = [a, b].map(|scene| scene.clips.iter().map(|clip| &clip.name[..]).collect());
    by_key(&names, ClipMatch::Name, str::to_owned, &mut pairs);
    by_key(&names, ClipMatch::Stem, stem, &mut pairs);
    let [of_a, of_b] = left(&names, &pairs);
    if let ([a], [b]) = (&of_a[..], &of_b[..]) {
        pairs.push(ClipPair { a: *a, b: *b, how: ClipMatch::OnlyOnes });
    }
    pairs.sort_by_key(|pair| pair.a);
    Ok(pairs)
}

/// The clips of each that are in no pair.
pub(crate) fn left(names: &[Vec<&str>; 2], pairs: &[ClipPair]) -> [Vec<usize>; 2] {
    let free = |side: usize| {
        let taken = |clip: &usize| pairs.iter().any(|pair| [pair.a, pair.b][side] == *clip);
        (0..names[side].len()).filter(|clip| !taken(clip)).collect()
    };
    [free(0), free(1)]
}

fn by_key(
    names: &[Vec<&str>; 2],
    how: ClipMatch,
    key: impl Fn(&str) -> String,
    pairs: &mut Vec<ClipPair>,
) {
    let [a, b] = left(names, pairs);
    let keyed = |side: usize, free: Vec<usize>| {
        let key = &key;
        free.into_iter().map(move |clip| (clip, key(names[side][clip])))
    };
    pair_by_key(keyed(0, a), keyed(1, b), |a, b| pairs.push(ClipPair { a, b, how }));
}

/// A clip by name, or by number where none has that name.
fn find(model: char, scene: &Scene, name: &str) -> Result<usize, CompareError> {
    let by_name = scene.clips.iter().position(|clip| clip.name == name);
    let by_number = || name.parse().ok().filter(|number| *number < scene.clips.len());
    by_name.or_else(by_number).ok_or_else(|| CompareError::ClipNotFound {
        model,
        name: name.to_owned(),
        known: scene.clips.iter().map(|clip| clip.name.clone()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use sinew_scene::{Clip, SceneParts};

    use super::*;

    fn scene(names: &[&str]) -> Scene {
        let clip = |name: &&str| Clip { name: (*name).to_owned(), ..Clip::default() };
        let clips = names.iter().map(clip).collect();
        Scene::new(SceneParts { clips, ..SceneParts::default() }).expect("clips without tracks")
    }

    fn found(a: &[&str], b: &[&str]) -> Vec<(usize, usize, ClipMatch)> {
        let pairs = pair(&scene(a), &scene(b), &[]).expect("nothing was asked for");
        pairs.into_iter().map(|pair| (pair.a, pair.b, pair.how)).collect()
    }

    #[test]
    fn names_come_before_stems_and_the_last_ones_left_are_a_pair() {
        use ClipMatch::{Name, OnlyOnes, Stem};
        assert_eq!(
            found(&["Armature|Walk", "run", "a"], &["run", "walk", "b"]),
            [(0, 1, Stem), (1, 0, Name), (2, 2, OnlyOnes)]
        );
        assert_eq!(found(&["a", "b"], &["c"]), []);
        assert_eq!(found(&["x", "x"], &["x", "x"]), [(0, 0, Name), (1, 1, Name)]);
    }

    #[test]
    fn a_clip_that_is_not_there_is_an_error_that_lists_those_that_are() {
        let asked = [("run".to_owned(), "walk".to_owned())];
        let error = pair(&scene(&["run"]), &scene(&["jog", "idle"]), &asked).unwrap_err();
        let text = "there is no clip \"walk\" in B: expected one of [\"jog\", \"idle\"]";
        assert_eq!(error.to_string(), text);
        let asked = [("0".to_owned(), "1".to_owned())];
        let pairs = pair(&scene(&["run"]), &scene(&["jog", "idle"]), &asked);
        assert_eq!(pairs, Ok(vec![ClipPair { a: 0, b: 1, how: ClipMatch::Asked }]));
    }
}
