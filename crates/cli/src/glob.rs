//! Patterns with `*` and `?`, for names of joints and of files.
//!
//! In a path a `*` stays within one folder and `**` goes through any number of them.

use std::path::Path;

/// Whether a name fits a pattern: `*` is any letters, `?` is one; capitals count.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
    let [pattern, name]: [Vec<char>; 2] = [pattern, name].map(|text| text.chars().collect());
    // Where the last star was, and how much of the name it has taken: only that star needs to take more.
    let (mut at, mut seen, mut star) = (0, 0, None);
    while seen < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at + 1, seen));
                at += 1;
            }
            Some(letter) if *letter == '?' || *letter == name[seen] => {
                at += 1;
                seen += 1;
            }
            _ => {
                let Some((after, taken)) = star else { return false };
                star = Some((after, taken + 1));
                at = after;
                seen = taken + 1;
            }
        }
    }
    pattern[at..].iter().all(|letter| *letter == '*')
}

/// Whether a text is a pattern at all.
pub(crate) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// Whether a path fits a pattern, folder by folder.
pub(crate) fn path_fits(pattern: &Path, path: &Path) -> bool {
    let parts = |path: &Path| -> Vec<String> {
        path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    folders_fit(&parts(pattern), &parts(path))
}

fn folders_fit(pattern: &[String], path: &[String]) -> bool {
    match pattern.split_first() {
        None => path.is_empty(),
        Some((first, rest)) if first == "**" => {
            (0..=path.len()).any(|skipped| folders_fit(rest, &path[skipped..]))
        }
        Some((first, rest)) => path
            .split_first()
            .is_some_and(|(folder, below)| fits(first, folder) && folders_fit(rest, below)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_letters_and_a_question_mark_one() {
        for (pattern, name) in [
            ("*", ""),
            ("Hand*", "HandLeft"),
            ("*Hand*", "LeftHand3"),
            ("a*b*c", "aXbXbYc"),
            ("?é", "éé"),
        ] {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("Hand*", "LeftHand"), ("hand", "Hand"), ("a*b", "abc"), ("?", ""), ("", "a")]
        {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn a_long_pattern_does_not_take_forever() {
        assert!(!fits(&"a*".repeat(50), &"a".repeat(40)));
        assert!(!fits(&format!("{}b", "a*".repeat(30)), &"a".repeat(10_000)));
    }

    #[test]
    fn two_stars_go_through_folders_and_one_does_not() {
        let fits = |pattern: &str, path: &str| path_fits(Path::new(pattern), Path::new(path));
        assert!(fits("models/*.fbx", "models/hero.fbx"));
        assert!(!fits("models/*.fbx", "models/men/hero.fbx"));
        assert!(fits("models/**/*.fbx", "models/men/tall/hero.fbx"));
        assert!(fits("models/**/*.fbx", "models/hero.fbx"));
    }
}
