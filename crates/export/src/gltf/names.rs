//! Names of files beside a document: whatever a model calls its images, they stay in the folder of the document.
//!
//! In:  a name as the scene has it. Out: letters, digits, `-` and `_`, each name once, also where capitals do not count.

use std::collections::HashSet;

/// Hands out names that begin with the document's own.
#[derive(Debug)]
pub(super) struct Names {
    stem: String,
    taken: HashSet<String>,
}

/// Letters of a name that are kept.
const MAX_LETTERS: usize = 60;

impl Names {
    pub(super) fn new(stem: &str) -> Self {
        let stem = match plain(stem) {
            stem if stem.is_empty() => "model".to_owned(),
            stem => stem,
        };
        Self { stem, taken: HashSet::new() }
    }

    /// The document's own name, with this ending.
    pub(super) fn own(&self, ending: &str) -> String {
        format!("{}.{ending}", self.stem)
    }

    /// A name for an image that the model calls `wanted`.
    pub(super) fn fresh(&mut self, wanted: &str, ending: &str) -> String {
        let file = wanted.rsplit(['/', '\\']).next().unwrap_or_default();
        let base = plain(file.rsplit_once('.').map_or(file, |(base, _)| base));
        let base = if base.is_empty() { "image".to_owned() } else { base };
        let mut name = format!("{}_{base}.{ending}", self.stem);
        let mut number = 2;
        while !self.taken.insert(name.to_lowercase()) {
            name = format!("{}_{base}_{number}.{ending}", self.stem);
            number += 1;
        }
        name
    }
}

fn plain(name: &str) -> String {
    let keep =
        |letter: char| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' };
    let name: String = name.chars().take(MAX_LETTERS).map(keep).collect();
    name.trim_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_folder_and_none_comes_twice() {
        let mut names = Names::new("../evil model");
        assert_eq!(names.own("bin"), "evil_model.bin");
        assert_eq!(names.fresh("..\\..\\C:/Skin 1.PNG", "png"), "evil_model_Skin_1.png");
        assert_eq!(names.fresh("skin?1", "png"), "evil_model_skin_1_2.png");
        assert_eq!(names.fresh("/", "jpg"), "evil_model_image.jpg");
        assert_eq!(Names::new("...").own("gltf"), "model.gltf");
    }
}
