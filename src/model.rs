//! A model with the clips of other files: the one way in, for every program.
//!
//! In:  a file, its bytes or a scene; then any number of files with clips.
//! Out: one scene with all clips, where each came from, and how well it fits.

use std::path::Path;

use sinew_import::{Files, ImportError, Imported, Note, Options};
use sinew_scene::{ClipId, Scene};

use crate::attach::{ClipFit, Fit, attach};
use crate::{attach_packed, built_in, is_packed, open_packed};

/// A model with the clips of other files.
///
/// ```no_run
/// let mut hero = sinew::Model::open("hero.fbx")?;
/// hero.add_clips("walk.bvh")?;
/// hero.add_clips("run.sinewclip")?;
/// for clip in &hero.clips {
///     println!("{} of {}: {}", hero.scene[clip.id].name, clip.file, clip.fit);
/// }
/// let actor = sinew::Actor::new(hero.scene);
/// # Ok::<(), sinew::ImportError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Model {
    /// All of it: safe to play, skin and draw.
    pub scene: Scene,
    /// What had to be mended, and how clips were made to fit.
    pub notes: Vec<Note>,
    /// What the model's file had that is too usual or too small for a note.
    pub details: Vec<Note>,
    /// The file's name without folder and extension; empty when it came without one.
    pub name: String,
    /// What the model's own file was.
    pub format: sinew_import::Format,
    /// The extensions that the file uses, in its own words.
    pub extensions: Vec<String>,
    /// Where each clip of the scene came from, in order.
    pub clips: Vec<ClipSource>,
}

/// Where a clip came from, and how well it fits.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClipSource {
    /// Which of the scene's clips.
    pub id: ClipId,
    /// The name of the file that it came from; of the model's own clips, the model's.
    pub file: String,
    /// How it was made to fit.
    pub fit: ClipFit,
}

impl From<Imported> for Model {
    fn from(imported: Imported) -> Self {
        let source = |id| ClipSource { id, file: imported.name.clone(), fit: ClipFit::Own };
        Self {
            clips: imported.scene.clip_ids().map(source).collect(),
            scene: imported.scene,
            notes: imported.notes,
            details: imported.details,
            name: imported.name,
            format: imported.format,
            extensions: imported.extensions,
        }
    }
}

impl From<Scene> for Model {
    fn from(scene: Scene) -> Self {
        Imported::from(scene).into()
    }
}

impl Model {
    /// Opens the file at `path`, whatever its format, with its images decoded; or, where no file has
    /// that name, the built-in model of that name: `ossi`, `ossi_place`, `demo`.
    ///
    /// # Errors
    /// When the file cannot be used; the error names it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ImportError> {
        let decode_images = cfg!(feature = "images");
        Self::open_with(path, &Options { decode_images, ..Options::default() })
    }

    /// The same with other options.
    ///
    /// # Errors
    /// When the file cannot be used; the error names it.
    pub fn open_with(path: impl AsRef<Path>, options: &Options) -> Result<Self, ImportError> {
        let path = path.as_ref();
        let name = path.to_str().filter(|_| !path.exists());
        match name.and_then(|name| Some((name, built_in(name)?))) {
            Some((name, scene)) => {
                Ok(Imported { name: name.to_owned(), ..Imported::from(scene) }.into())
            }
            None => Ok(options.open(path)?.into()),
        }
    }

    /// Adds the clips of a file: a packed clip, or any model or motion file. Clips are bound by joint
    /// names where these fit, and retargeted where not.
    ///
    /// # Errors
    /// When the file cannot be used, has no clips, or nothing in it fits; the model stays as it was.
    pub fn add_clips(&mut self, path: impl AsRef<Path>) -> Result<(), ImportError> {
        self.add_clips_with(path, &Options::default(), Fit::Best)
    }

    /// The same, with other options, and another way to make clips fit.
    ///
    /// # Errors
    /// When the file cannot be used, has no clips, or nothing in it fits; the model stays as it was.
    pub fn add_clips_with(
        &mut self,
        path: impl AsRef<Path>,
        options: &Options,
        fit: Fit<'_>,
    ) -> Result<(), ImportError> {
        let path = path.as_ref();
        let name = path.to_string_lossy().into_owned();
        let added = match open_packed(path)? {
            Some(bytes) => self.add_packed(&name, &bytes),
            None => {
                let from = Self::open_with(path, options)?;
                self.add_model(&name, from, fit)
            }
        };
        added.map_err(|mut error| {
            error.file.get_or_insert_with(|| path.to_owned());
            error
        })
    }

    /// Adds the clips of a file that is in memory; `name` is what it is called, and `files` fetches
    /// what it names.
    ///
    /// # Errors
    /// When the bytes cannot be used, have no clips, or nothing in them fits; the model stays as it was.
    pub fn read_clips(
        &mut self,
        name: &str,
        bytes: &[u8],
        files: &dyn Files,
        options: &Options,
        fit: Fit<'_>,
    ) -> Result<(), ImportError> {
        if is_packed(bytes) {
            return self.add_packed(name, bytes);
        }
        self.add_model(name, options.read(bytes, files)?.into(), fit)
    }

    /// Adds the clips of another model that is open already; `name` is what its file is called.
    ///
    /// # Errors
    /// When it has no clips, or nothing in it fits; the model stays as it was.
    pub fn add_model(&mut self, name: &str, from: Self, fit: Fit<'_>) -> Result<(), ImportError> {
        let (model, fits) = attach(self.imported(), from.imported(), fit)?;
        self.take(model, name, fits);
        Ok(())
    }

    /// Adds a packed clip. Where its name is taken it gets a number: `walk (2)`.
    ///
    /// # Errors
    /// When the bytes are no packed clip, or one for another skeleton; the model stays as it was.
    pub fn add_packed(&mut self, name: &str, bytes: &[u8]) -> Result<(), ImportError> {
        let (model, error) = attach_packed(self.imported(), bytes)?;
        self.take(model, name, vec![ClipFit::Packed { error }]);
        Ok(())
    }

    fn imported(&self) -> Imported {
        Imported {
            scene: self.scene.clone(),
            notes: self.notes.clone(),
            details: self.details.clone(),
            name: self.name.clone(),
            format: self.format,
            extensions: self.extensions.clone(),
        }
    }

    fn take(&mut self, model: Imported, file: &str, fits: Vec<ClipFit>) {
        let first = self.scene.clips.len();
        let source =
            |(index, fit)| ClipSource { id: ClipId::new(index), file: file.to_owned(), fit };
        self.clips.extend((first..).zip(fits).map(source));
        self.scene = model.scene;
        self.notes = model.notes;
    }
}
