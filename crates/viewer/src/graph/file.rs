//! Graph files: which files are graphs, and how one is read.
//!
//! In:  a path.
//! Out: a graph, or a diagnostic that says what to do.

use std::path::Path;

use sinew::graph::{Format, Graph};

use crate::disk;
use crate::load::{Diagnostic, title};

/// What a person may do about a graph that does not work.
const ADVICE: &str =
    "Mend the graph file and save it: examples/graphs/ossi.toml is one with most kinds of nodes.";

/// Whether a file is a graph: by its extension, and where scenes have the same one, by what is in it.
pub(crate) fn is_graph(path: &Path) -> bool {
    match Format::of(&path.to_string_lossy()) {
        Some(Format::Toml) => disk::read_to_string(path).is_ok_and(|text| has_nodes(&text)),
        other => other.is_some(),
    }
}

fn has_nodes(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start();
        let has_key = |key: &str| {
            line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
        };
        line.starts_with("[nodes") || has_key("nodes") || has_key("output")
    })
}

/// Reads a graph file.
pub(crate) fn read(path: &Path) -> Result<Graph, Diagnostic> {
    let Some(format) = Format::of(&path.to_string_lossy()) else {
        return Err(unusable(path, "expected a .toml, .ron or .json file"));
    };
    let text = disk::read_to_string(path).map_err(|error| unusable(path, &error.to_string()))?;
    sinew::graph::read(&text, format).map_err(|error| unusable(path, &error))
}

/// Why a graph cannot be used.
pub(super) fn unusable(path: &Path, reason: &str) -> Diagnostic {
    Diagnostic {
        title: format!("{} could not be used", title(path)),
        sentence: crate::load::sentence(reason),
        advice: ADVICE.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::tests::GAIT;

    #[test]
    fn scenes_and_graphs_of_one_extension_are_distinguished_by_what_is_in_them() {
        assert!(
            has_nodes(GAIT) && has_nodes("nodes = {}") && !has_nodes("[[model]]\nfile = \"a\"")
        );
        assert!(is_graph(Path::new("any.json")) && !is_graph(Path::new("hero.glb")));
    }
}
