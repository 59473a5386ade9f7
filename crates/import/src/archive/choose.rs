//! Which file of an archive is the model.
//!
//! In:  the names in the archive, and what its manifest says. Out: one of them, and the others.
//!
//! The rule: the manifest of a `.zae`; else the format that holds the most of a character; else the
//! fewest folders; else the first by name. `__MACOSX` and hidden files are nobody's models.

use super::directory::Entry;

/// Formats from the one that holds the most: a scene with skins and clips, a mesh, clips alone.
const RANKS: [&[&str]; 7] = [
    &["glb", "gltf", "vrm"],
    &["fbx"],
    &["dae"],
    &["md5mesh"],
    &["mesh", "obj"],
    &["bvh"],
    &["md5anim", "skeleton_anim"],
];

/// What is in an archive that may be opened.
#[derive(Debug, PartialEq)]
pub(super) struct Choice {
    /// The model's place in the list of entries.
    pub(super) model: usize,
    /// Names of other models, best first.
    pub(super) others: Vec<String>,
}

/// Chooses the model; `None` when there is none.
pub(super) fn choose(entries: &[Entry], manifest: Option<&str>) -> Option<Choice> {
    let named = manifest.and_then(|wanted| {
        entries.iter().position(|entry| entry.name.eq_ignore_ascii_case(wanted))
    });
    let mut models: Vec<usize> = (0..entries.len())
        .filter(|&at| rank(&entries[at].name).is_some() && !is_hidden(&entries[at].name))
        .collect();
    let folders = |at: usize| entries[at].name.matches('/').count();
    models.sort_by_key(|&at| {
        (Some(at) != named, rank(&entries[at].name), folders(at), &entries[at].name)
    });
    let model = named.or(models.first().copied())?;
    let others = models.into_iter().filter(|&at| at != model);
    Some(Choice { model, others: others.map(|at| entries[at].name.clone()).collect() })
}

fn extension(name: &str) -> Option<String> {
    let base = name.rsplit('/').next()?;
    base.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase())
}

fn rank(name: &str) -> Option<usize> {
    let extension = extension(name)?;
    RANKS.iter().position(|formats| formats.contains(&extension.as_str()))
}

fn is_hidden(name: &str) -> bool {
    name.split('/').any(|step| step.starts_with('.') || step == "__MACOSX")
}

/// Whether a name is that of another archive.
pub(super) fn is_archive(name: &str) -> bool {
    let known = ["zip", "zae", "gz", "tgz", "7z", "rar", "tar", "bz2", "xz", "unitypackage"];
    extension(name).is_some_and(|extension| known.contains(&extension.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(names: &[&str]) -> Vec<Entry> {
        let entry = |name: &&str| Entry {
            name: (*name).to_owned(),
            method: 0,
            encrypted: false,
            crc: 0,
            packed: 0,
            size: 0,
            header: 0,
        };
        names.iter().map(entry).collect()
    }

    fn chosen(names: &[&str], manifest: Option<&str>) -> Option<(String, usize)> {
        let all = entries(names);
        choose(&all, manifest).map(|choice| (all[choice.model].name.clone(), choice.others.len()))
    }

    #[test]
    fn the_richest_format_nearest_to_the_top_is_the_model() {
        let found = chosen(&["a.obj", "src/z.fbx", "z.FBX", "t.png"], None);
        assert_eq!(found, Some(("z.FBX".to_owned(), 2)));
        let found = chosen(&["__MACOSX/a.glb", "x/.a.glb", "b/walk.bvh"], None);
        assert_eq!(found, Some(("b/walk.bvh".to_owned(), 0)));
        assert_eq!(chosen(&["readme.txt", "a.png"], None), None);
    }

    #[test]
    fn the_manifest_is_obeyed_where_it_names_a_file_that_is_there() {
        let names = ["a.glb", "dae/one.dae", "dae/two.dae"];
        assert_eq!(chosen(&names, Some("dae/two.dae")), Some(("dae/two.dae".to_owned(), 2)));
        assert_eq!(chosen(&names, Some("none.dae")), Some(("a.glb".to_owned(), 2)));
    }
}
