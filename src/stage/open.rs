//! From a scene file's text to a stage.
//!
//! In:  TOML, and the files it names: only those in or below its own folder.
//! Out: a [`Stage`], or an error with file, line and field.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use sinew_import::{Beside, ErrorKind, Files, ImportError, Imported, Options, Place, plain_name};
use sinew_render::{Background, Environment, Fog, Occlusion, Sky};
use sinew_scene::{ClipId, Scene};
use toml::Spanned;

use super::file::{self, SceneFile};
use super::place::{place, vector};
use super::words::{floor, fog, light, view_of};
use super::{CameraSetup, Color, FOV, Ground, Lights, Member, Shape, Stage, Surroundings};
use crate::{Fit, Model, Transition};

pub(super) fn open(path: &Path, options: &Options) -> Result<Stage, ImportError> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        let message = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
            std::io::ErrorKind::InvalidData => "expected text in UTF-8".to_owned(),
            _ => error.to_string(),
        };
        fault(ErrorKind::Io, Place::Whole, message)
    });
    let files = Beside::new(path).allow(&options.allow);
    text.and_then(|text| read(&text, &files, options)).map_err(|mut error| {
        error.file = Some(path.to_owned());
        error
    })
}

pub(super) fn read(text: &str, files: &dyn Files, options: &Options) -> Result<Stage, ImportError> {
    let scene: SceneFile = toml::from_str(text).map_err(|error| {
        let place = error.span().map_or(Place::Whole, |span| place_of(text, &span));
        fault(ErrorKind::Malformed, place, error.message().replace('\n', " "))
    })?;
    let mut reader =
        Reader { text, files, options, known: HashMap::new(), stage: Stage::default() };
    for model in &scene.model {
        reader.model(model)?;
    }
    if let Some(terrain) = &scene.terrain {
        reader.terrain(terrain)?;
    }
    reader.surroundings(&scene)?;
    if let Some(camera) = &scene.camera {
        reader.camera(camera)?;
    }
    reader.stage.seek(0.0);
    Ok(reader.stage)
}

fn fault(kind: ErrorKind, place: Place, message: String) -> ImportError {
    ImportError { kind, file: None, place, message }
}

/// The line of a place in the text, and the key that is written there.
fn place_of(text: &str, span: &Range<usize>) -> Place {
    let start = (0..=span.start.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    let before = &text[..start.unwrap_or(0)];
    let line = before.matches('\n').count();
    let words = text.lines().nth(line).unwrap_or_default();
    let key = words.split('=').next().unwrap_or_default().trim();
    match key {
        "" => Place::Line(line + 1),
        key => {
            Place::Part(format!("line {}, {}", line + 1, key.chars().take(40).collect::<String>()))
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    files: &'a dyn Files,
    options: &'a Options,
    /// Models that several members share.
    known: HashMap<(String, Vec<String>), Arc<Scene>>,
    stage: Stage,
}

/// The companions of a file below another's folder.
struct Below<'a> {
    files: &'a dyn Files,
    folder: &'a str,
    own_name: &'a str,
}

impl Files for Below<'_> {
    fn fetch(&self, name: &str) -> std::io::Result<Vec<u8>> {
        self.files.fetch(&format!("{}{name}", self.folder))
    }

    fn own_name(&self) -> Option<&str> {
        Some(self.own_name)
    }

    fn fetch_outside(&self, name: &str) -> std::io::Result<Vec<u8>> {
        // Absolute names are absolute wherever they are asked for.
        let folder = if name.starts_with('/') { "" } else { self.folder };
        self.files.fetch_outside(&format!("{folder}{name}"))
    }

    fn search(&self, base_name: &str) -> Option<Vec<u8>> {
        self.files.search(base_name)
    }

    fn places(&self) -> String {
        self.files.places()
    }
}

/// The folder of a file, and its name there.
fn split(plain: &str) -> (&str, &str) {
    plain.split_at(plain.rfind('/').map_or(0, |slash| slash + 1))
}

impl Reader<'_> {
    fn wrong<T>(
        &self,
        at: &Spanned<T>,
        kind: ErrorKind,
        message: impl Into<String>,
    ) -> ImportError {
        fault(kind, place_of(self.text, &at.span()), message.into())
    }

    /// The bytes of a file that the scene names, and the name in its plain form.
    fn fetch(&self, name: &Spanned<String>) -> Result<(String, Vec<u8>), ImportError> {
        let place = place_of(self.text, &name.span());
        // A scene file has plain names, not addresses: a percent sign is itself.
        let plain = plain_name(&name.get_ref().replace('%', "%25"), &place)?;
        let bytes = self.files.fetch(&plain).map_err(|error| {
            let (kind, why) = match error.kind() {
                std::io::ErrorKind::NotFound => {
                    (ErrorKind::Missing, "there is no such file".into())
                }
                std::io::ErrorKind::PermissionDenied => {
                    (ErrorKind::Refused, "it may not be read, or leads out of the folder".into())
                }
                _ => (ErrorKind::Missing, error.to_string()),
            };
            self.wrong(name, kind, format!("cannot read \"{plain}\": {why}"))
        })?;
        Ok((plain, bytes))
    }

    fn import(&self, name: &Spanned<String>) -> Result<Imported, ImportError> {
        let (plain, bytes) = self.fetch(name)?;
        let (folder, own_name) = split(&plain);
        let below = Below { files: self.files, folder, own_name };
        self.options.read(&bytes, &below).map_err(|error| {
            self.wrong(name, error.kind, format!("cannot read \"{plain}\": {error}"))
        })
    }

    /// A model with the clips of other files; read once, however often it is used.
    fn scene(
        &mut self,
        file: &Spanned<String>,
        anim: &[Spanned<String>],
    ) -> Result<Arc<Scene>, ImportError> {
        let names = anim.iter().map(|name| name.get_ref().clone()).collect();
        let key = (file.get_ref().clone(), names);
        if let Some(scene) = self.known.get(&key) {
            return Ok(Arc::clone(scene));
        }
        let scene = Arc::new(self.with_clips(file, anim)?);
        self.known.insert(key, Arc::clone(&scene));
        Ok(scene)
    }

    fn with_clips(
        &mut self,
        file: &Spanned<String>,
        anim: &[Spanned<String>],
    ) -> Result<Scene, ImportError> {
        let mut model = match crate::built_in(file.get_ref()) {
            Some(scene) => Model::from(scene),
            None => Model::from(self.import(file)?),
        };
        for name in anim {
            let (plain, bytes) = self.fetch(name)?;
            let (folder, own_name) = split(&plain);
            let below = Below { files: self.files, folder, own_name };
            let added = model.read_clips(&plain, &bytes, &below, self.options, Fit::Best);
            added.map_err(|error| {
                self.wrong(name, error.kind, format!("cannot take clips of \"{plain}\": {error}"))
            })?;
        }
        let of = |note: &sinew_import::Note| format!("{}: {note}", file.get_ref());
        self.stage.notes.extend(model.notes.iter().map(of));
        Ok(model.scene)
    }

    fn model(&mut self, model: &file::Model) -> Result<(), ImportError> {
        let scene = self.scene(&model.file, &model.anim)?;
        let name = model.name.clone().unwrap_or_else(|| model.file.get_ref().clone());
        let mut member = Member::new(name, scene);
        if let Some(clip) = &model.clip {
            let clip = self.clip(member.actor.scene(), clip)?;
            member.actor.start(clip, Transition::Cut);
        }
        if let Some(variant) = &model.variant {
            let shown = member.show_variant(variant.get_ref());
            shown.map_err(|error| self.wrong(variant, ErrorKind::Missing, error.to_string()))?;
        }
        member.start = model.start.map_or(0.0, |start| f64::from(start.0));
        member.speed = model.speed.map_or(1.0, |speed| f64::from(speed.0));
        member.scenery = model.scenery;
        member.lights = if model.lights { Lights::On } else { Lights::Off };
        member.actor.place(place(model.position, model.rotation, model.scale).ok_or_else(
            || self.wrong(&model.file, ErrorKind::OutOfRange, "expected a scale other than 0"),
        )?);
        self.stage.push(member);
        Ok(())
    }

    fn clip(&self, scene: &Scene, wanted: &Spanned<file::Clip>) -> Result<ClipId, ImportError> {
        let found = match wanted.get_ref() {
            file::Clip::Number(index) => {
                Some(*index).filter(|index| *index < scene.clips.len()).map(ClipId::new)
            }
            file::Clip::Name(name) => scene.find_clip(name),
        };
        found.ok_or_else(|| {
            let names: Vec<&str> = scene.clips.iter().map(|clip| clip.name.as_str()).collect();
            let wanted_words = match wanted.get_ref() {
                file::Clip::Number(index) => index.to_string(),
                file::Clip::Name(name) => format!("\"{name}\""),
            };
            let message = format!("there is no clip {wanted_words}: the model has {names:?}");
            self.wrong(wanted, ErrorKind::Missing, message)
        })
    }

    fn terrain(&mut self, terrain: &file::Terrain) -> Result<(), ImportError> {
        let usual = Ground::default();
        let mut member = match &terrain.file {
            Some(file) => Member::new("terrain", self.scene(file, &[])?),
            None => {
                let ground = Ground {
                    shape: match terrain.shape {
                        Some(file::Shape::Flat) => Shape::Flat,
                        Some(file::Shape::Dunes) => Shape::Dunes,
                        Some(file::Shape::Hills) | None => Shape::Hills,
                    },
                    size: terrain.size.map_or(usual.size, |size| size.0),
                    height: terrain.height.map_or(usual.height, |height| height.0),
                    color: terrain.color.unwrap_or(usual.color),
                };
                Member::new("terrain", ground.scene())
            }
        };
        member.scenery = true;
        let placed = place(terrain.position, terrain.rotation, terrain.scale);
        member.actor.place(placed.ok_or_else(|| {
            let message = "expected a terrain's scale other than 0".to_owned();
            fault(ErrorKind::OutOfRange, Place::part("terrain.scale"), message)
        })?);
        self.stage.push(member);
        Ok(())
    }

    fn surroundings(&mut self, scene: &SceneFile) -> Result<(), ImportError> {
        let environment = scene.sky.as_ref().map(|sky| self.sky(sky)).transpose()?;
        let around_all = scene.environment.as_ref().map(|own| self.image(&own.file)).transpose()?;
        let background = match &scene.background {
            Some(words) => Some(self.background(words)?),
            None => environment.as_ref().map(|_| Background::Sky(1.0)),
        };
        let has_own_light = environment.is_some() || around_all.is_some();
        let tone = self.word(scene.tone.as_ref())?;
        let occlusion = self.word(scene.occlusion.as_ref())?;
        self.stage.surroundings = self.studio(scene)?;
        let around = &mut self.stage.surroundings;
        // Light from an image is enough; lamps are those that the file has.
        if !scene.light.is_empty() || scene.ambient.is_some() || around_all.is_some() {
            around.lights = scene.light.iter().map(light).collect();
        }
        if let Some(ambient) = &scene.ambient {
            let color = ambient.color.map_or(Vec3::ONE, |color| color.0);
            around.ambient = color * ambient.strength.map_or(1.0, |strength| strength.0);
        }
        if let Some(environment) = environment {
            around.environment = environment;
        }
        if let Some(strength) = scene.sky.as_ref().and_then(|sky| sky.strength) {
            around.environment_strength = strength.0;
        }
        if let (Some(environment), Some(own)) = (around_all, &scene.environment) {
            around.environment = environment;
            around.environment_strength = own.strength.map_or(1.0, |strength| strength.0);
            around.environment_rotation = own.rotation.map_or(0.0, |turn| turn.0.to_radians());
        }
        around.background = background.unwrap_or(around.background);
        around.fog = scene.fog.as_ref().map_or(Fog::None, fog);
        around.exposure = scene.exposure.map_or(1.0, |exposure| exposure.0);
        around.tone = tone.unwrap_or_default();
        let usual = if has_own_light { Occlusion::NORMAL } else { around.occlusion };
        around.occlusion = occlusion.unwrap_or(usual);
        around.reflection = scene.reflection.map(|share| share.0);
        around.shadow_strength = scene.shadows.map_or(around.shadow_strength, |share| share.0);
        around.floor = match (around.theme, &scene.floor) {
            (Some(_), None) => None,
            (_, own) => Some(floor(own.as_ref())),
        };
        Ok(())
    }

    fn sky(&self, sky: &file::Sky) -> Result<Environment, ImportError> {
        if let Some(name) = &sky.image {
            return self.image(name);
        }
        let usual = Sky::default();
        let or = |color: Option<Color>, usual: Vec3| color.map_or(usual, |color| color.0);
        Ok(Environment::Sky(Sky {
            zenith: or(sky.zenith, usual.zenith),
            horizon: or(sky.horizon, usual.horizon),
            ground: or(sky.ground, usual.ground),
            sun: sky.sun.map_or(usual.sun, |sun| vector(sun).normalize_or(usual.sun)),
            sun_color: or(sky.sun_color, usual.sun_color),
            sun_size: usual.sun_size,
        }))
    }

    /// Light from an image all around.
    fn image(&self, name: &Spanned<String>) -> Result<Environment, ImportError> {
        let (plain, bytes) = self.fetch(name)?;
        super::read_environment(&bytes).map_err(|(place, why)| {
            let message = format!("cannot use \"{plain}\": {place}: {why}");
            self.wrong(name, ErrorKind::Malformed, message)
        })
    }

    /// The studio that the file asks for, or has where it says nothing of light; else plain daylight.
    fn studio(&self, scene: &SceneFile) -> Result<Surroundings, ImportError> {
        if let Some(theme) = &scene.theme {
            let wrong = |error: super::ThemeError| {
                self.wrong(theme, ErrorKind::Malformed, error.to_string())
            };
            return theme.get_ref().parse().map(Surroundings::studio).map_err(wrong);
        }
        let lit = !scene.light.is_empty() || scene.ambient.is_some() || scene.sky.is_some();
        let lit = lit || scene.environment.is_some();
        let outside = scene.fog.is_some() || scene.terrain.is_some();
        Ok(if lit || outside { Surroundings::daylight() } else { Surroundings::default() })
    }

    fn background(&self, words: &Spanned<String>) -> Result<Background, ImportError> {
        match words.get_ref().as_str() {
            "sky" => Ok(Background::Sky(1.0)),
            "transparent" => Ok(Background::Transparent),
            color => color.parse().map(|Color(color)| Background::Color(color)).map_err(
                |error: super::ColorError| {
                    self.wrong(words, ErrorKind::Malformed, format!("{error}, sky or transparent"))
                },
            ),
        }
    }

    /// What one of some words means.
    fn word<T: std::str::FromStr<Err = String>>(
        &self,
        word: Option<&Spanned<String>>,
    ) -> Result<Option<T>, ImportError> {
        let Some(word) = word else { return Ok(None) };
        let read = word.get_ref().parse();
        read.map(Some).map_err(|message: String| self.wrong(word, ErrorKind::Malformed, message))
    }

    fn camera(&mut self, camera: &Spanned<file::Camera>) -> Result<(), ImportError> {
        let words = camera.get_ref();
        let fov_y = words.fov.map_or(FOV, |fov| fov.0.to_radians());
        let malformed = |message: &str| Err(self.wrong(camera, ErrorKind::Malformed, message));
        let setup = match (words.view, words.position, words.look_at) {
            (None, Some(position), Some(look_at)) if vector(position) == vector(look_at) => {
                return malformed("expected position and look_at to be two places");
            }
            (None, Some(position), Some(look_at)) => {
                CameraSetup::Exact { position: vector(position), look_at: vector(look_at), fov_y }
            }
            (view, None, None) => CameraSetup::View { view: view_of(view), fov_y },
            _ => {
                return malformed("expected a camera to have both position and look_at, or a view");
            }
        };
        self.stage.camera_setup = Some(setup);
        Ok(())
    }
}
