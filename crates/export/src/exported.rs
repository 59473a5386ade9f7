//! What a writer gives back: the file, files beside it, and what the format could not hold.

/// A file, ready to be written to disk.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Exported {
    /// The file itself.
    pub bytes: Vec<u8>,
    /// Files that it names and that belong beside it, such as images; most often none.
    pub files: Vec<ExportedFile>,
    /// What was changed, approximated or left out, one sentence each; empty when nothing was.
    pub notes: Vec<String>,
}

/// A file that belongs beside another.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExportedFile {
    /// A plain file name: no folder, no separator, no name that leads elsewhere.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A count with its noun in the right number.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
