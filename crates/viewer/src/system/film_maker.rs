//! A GIF of the view, image by image.
//!
//! In:  the state when it was asked for, and a stage of its own on the same device.
//! Out: the bytes of the file, after the last image.
//!
//! The colours are taken from some images first; then every moment is drawn. Whoever drives it draws, gets the pixels in his
//! own way (at once, or in a later frame of a browser), and hands them over.

use sinew::film::{Film, FilmSettings, Kind, Palette};
use sinew::render::Image;

use crate::film::{self, FilmPlan};
use crate::orbit::Orbit;
use crate::stage::Stage;
use crate::state::State;

/// How many images the colours are taken from.
const PALETTE_FRAMES: usize = 6;

/// A GIF that is being made.
#[derive(Debug)]
pub(super) struct FilmMaker {
    plan: FilmPlan,
    state: State,
    pub(super) stage: Stage,
    /// Times of all models when it began.
    start: Vec<f32>,
    camera: Orbit,
    samples: Vec<Image>,
    film: Option<Film>,
    done: usize,
}

impl FilmMaker {
    pub(super) fn new(state: State, stage: Stage) -> Self {
        let plan = film::plan(&state);
        let start = film::starts(&state);
        let camera = state.orbit;
        Self { plan, state, stage, start, camera, samples: Vec::new(), film: None, done: 0 }
    }

    /// Frames that are in the file, of how many.
    pub(super) fn progress(&self) -> (usize, usize) {
        (self.done, self.plan.moments.len())
    }

    fn palette_frames(&self) -> usize {
        self.plan.moments.len().min(PALETTE_FRAMES)
    }

    /// Draws the image that comes next.
    pub(super) fn draw(&mut self) -> Result<(), String> {
        let index = match self.film {
            Some(_) => self.done,
            None => self.samples.len() * self.plan.moments.len() / self.palette_frames(),
        };
        let moment = self.plan.moments[index];
        film::seek(&mut self.state, moment, &self.start);
        self.state.orbit = self.camera;
        self.state.orbit.yaw += moment.yaw;
        let drawn = self.stage.draw(&self.state, self.plan.width, self.plan.height);
        drawn.map(drop).map_err(|error| error.to_string())
    }

    /// Takes its pixels; gives the whole file after the last.
    pub(super) fn take(&mut self, image: Image) -> Result<Option<Vec<u8>>, String> {
        let words = |error: sinew::film::FilmError| error.to_string();
        let Some(film) = &mut self.film else {
            self.samples.push(image);
            if self.samples.len() == self.palette_frames() {
                let palette = Palette::of(self.samples.iter());
                self.samples.clear();
                self.film = Some(Film::new(self.settings(), palette).map_err(words)?);
            }
            return Ok(None);
        };
        film.add(&image).map_err(words)?;
        self.done += 1;
        if self.done < self.plan.moments.len() {
            return Ok(None);
        }
        self.film.take().map(|film| film.finish().map_err(words)).transpose()
    }

    fn settings(&self) -> FilmSettings {
        FilmSettings {
            kind: Kind::Gif,
            width: self.plan.width,
            height: self.plan.height,
            frames: self.plan.moments.len(),
            fps: f64::from(self.plan.fps),
            transparent: false,
        }
    }
}
