//! What a person may choose about reading a file. The defaults suit most.

use std::path::{Path, PathBuf};

use crate::{Files, Format, ImportError, Imported, open};

/// What to do about tangents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tangents {
    /// Keep those in the file, make none.
    Keep,
    /// Make them (MikkTSpace) where a normal map needs them and the file has none.
    #[default]
    WhereNeeded,
    /// Make them wherever there are texture coordinates and the file has none.
    Everywhere,
}

/// What to do where a mesh has no normals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Normals {
    /// Leave them missing.
    Keep,
    /// What the format means by it: glTF flat faces, all others smooth over edges that bend less than 60°.
    #[default]
    Usual,
    /// Smooth over edges that bend less than this angle in radians; 0 makes flat faces.
    Crease(f32),
}

/// How a file is read.
///
/// ```no_run
/// use sinew_import::{Options, Tangents};
/// let options = Options { tangents: Tangents::Everywhere, ..Options::default() };
/// let imported = options.open("character.glb")?;
/// # Ok::<(), sinew_import::ImportError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Which of a glTF file's scenes is drawn; `None` takes the one the file prefers.
    pub scene: Option<usize>,
    /// Metres in one of the file's units, in place of what the file says or, for files that say
    /// nothing (BVH, OBJ, MD5), of what is taken: 0.01 for centimetres.
    pub unit: Option<f32>,
    /// What to do where normals are missing.
    pub normals: Normals,
    /// What to do about tangents.
    pub tangents: Tangents,
    /// Join vertices that are equal in everything, weights included.
    #[cfg(feature = "prepare")]
    pub join_vertices: bool,
    /// Keep only this many of each vertex's largest influences. The error that makes is a note.
    #[cfg(feature = "prepare")]
    pub max_influences: Option<usize>,
    /// In a model without clips and skins: bake the transforms of nodes into the meshes.
    #[cfg(feature = "prepare")]
    pub bake_static: bool,
    /// Folders outside of the model's own that it may read companions from. For what is opened by
    /// its path; in memory, [`Files`] decides.
    pub allow: Vec<PathBuf>,
    /// Read how surfaces look: normals, tangents, texture coordinates, colours, triangles and images. What moves and is measured is the
    /// same without them. Of glTF they are then only looked for, which takes less memory; other formats are read whole all the same.
    pub surfaces: bool,
    /// Unpack images to pixels. Otherwise they stay as filed, for
    /// [`decode`](crate::image::decode) when they are wanted.
    pub decode_images: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            scene: None,
            unit: None,
            normals: Normals::Usual,
            tangents: Tangents::WhereNeeded,
            #[cfg(feature = "prepare")]
            join_vertices: false,
            #[cfg(feature = "prepare")]
            max_influences: None,
            #[cfg(feature = "prepare")]
            bake_static: false,
            allow: Vec::new(),
            surfaces: true,
            decode_images: false,
        }
    }
}

impl Options {
    /// Reads the file at `path`, whatever its format.
    ///
    /// # Errors
    /// When the file cannot be used; the error names it.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Imported, ImportError> {
        open::open(path.as_ref(), self)
    }

    /// Reads a file already in memory. `files` fetches the buffers and images it names.
    ///
    /// # Errors
    /// When the bytes cannot be used.
    pub fn read(&self, bytes: &[u8], files: &dyn Files) -> Result<Imported, ImportError> {
        open::read(bytes, files, self, None)
    }

    /// Reads a file of a known format.
    ///
    /// # Errors
    /// When the bytes cannot be used.
    pub fn read_as(
        &self,
        format: Format,
        bytes: &[u8],
        files: &dyn Files,
    ) -> Result<Imported, ImportError> {
        open::read(bytes, files, self, Some(format))
    }
}
