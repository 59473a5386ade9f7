//! What went wrong, for a person to read.

use std::path::Path;

use sinew::ImportError;
use sinew::import::ErrorKind;

use super::title;

/// A file that could not be used: what, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    pub(crate) title: String,
    pub(crate) sentence: String,
    pub(crate) advice: String,
}

/// Why a file could not be opened, and what a person may do next.
pub(crate) fn not_opened(path: &Path, error: &ImportError) -> Diagnostic {
    let advice = match error.kind {
        ErrorKind::Io => "Check the name and that you may read the file.",
        ErrorKind::Unrecognised => {
            "Sinew opens glTF and GLB, FBX, COLLADA, MD5, BVH, OBJ, .skeleton_anim, scene files (.toml) and graphs (.toml, .ron, .json). Export the model as one of these."
        }
        ErrorKind::Truncated => {
            "The file was cut short: copy or download it again, or export it anew."
        }
        ErrorKind::Malformed | ErrorKind::OutOfRange => {
            "The file is damaged or its exporter has an error: export it anew, or try another format."
        }
        ErrorKind::Unsupported => "Export the model without this feature, or in another format.",
        ErrorKind::Missing => {
            "Put the files that belong to the model into its folder, then open it again."
        }
        ErrorKind::Refused => "Move the files that the model names into its own folder.",
        ErrorKind::TooLarge => {
            "The file says it holds far more than its size allows: export it anew."
        }
        _ => "Try to export the model anew, or in another format.",
    };
    let advice = if sinew::stage::is_scene_file(path) {
        "Mend the scene file and save it: examples/scenes/walk.toml has every key."
    } else if matches!(sinew::open_packed(path), Ok(Some(_))) {
        "Open the model that the clip was packed from, then the clip; or pack it again with sinew pack."
    } else {
        advice
    };
    let mut plain = error.to_string();
    // The title names the file already.
    if let Some((before, after)) = plain.split_once(": ")
        && before.starts_with("cannot read")
    {
        plain = after.to_owned();
    }
    Diagnostic {
        title: format!("{} could not be opened", title(path)),
        sentence: sentence(&plain),
        advice: advice.to_owned(),
    }
}

/// A reason as a sentence: a capital letter first, a full stop last.
pub(crate) fn sentence(reason: &str) -> String {
    let mut letters = reason.trim().chars();
    let first = letters.next().map(|letter| letter.to_uppercase().collect::<String>());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str().trim_end_matches('.'))
}
