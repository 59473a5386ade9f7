//! So many frames of a script, without a window: run, and drawn where a file is to be written.
//!
//! Frame `n` is at `n / fps` seconds. A script cannot be run backwards, so frames are drawn as they come; a GIF waits for the
//! first few before it chooses its colours.

use sinew::film::{self, Film, FilmSettings, Palette};
use sinew::render::{Background, Gpu, Image, Renderer, Target};
use sinew_lua::Painter;

use super::{Run, Woken};
use crate::args::Talk;
use crate::fault::Fault;
use crate::render::args::{Kind, Size};
use crate::render::cache::Cache;
use crate::render::plan::{self, Form, MOST_FRAMES};
use crate::render::progress::Progress;
use crate::render::{driver, save};

/// From how many images a GIF chooses its colours, of those that it waits for.
const PALETTE_IMAGES: usize = 6;
/// Most bytes of images that wait.
const WAITING: usize = 128 << 20;

pub(super) fn run(run: &Run, frames: u32, talk: Talk) -> Result<(), Fault> {
    let Some(out) = &run.out else { return without_images(run, frames) };
    let kind = plan::kind(run.format, out)?;
    let fps = plan::rate(run.fps, kind)?;
    let size = plan::fitted(run.size.unwrap_or(Size { width: 640, height: 480 }), kind);
    plan::check_size(size, Form::Still)?;
    if kind != Kind::Png && f64::from(frames) > MOST_FRAMES {
        return Err(Fault::Usage(format!("--frames: expected at most {MOST_FRAMES} for a film")));
    }
    driver::hush();
    save::check(out)?;
    let script = Woken::new(run)?;
    let bytes = images(script, (kind, size, fps), frames, talk)?;
    save::save(out, &bytes)
}

fn without_images(run: &Run, frames: u32) -> Result<(), Fault> {
    let fps = plan::rate(run.fps, Kind::Apng)?;
    let mut script = Woken::new(run)?;
    (0..frames).try_for_each(|frame| step(&mut script, frame, fps))
}

fn step(script: &mut Woken, frame: u32, fps: f64) -> Result<(), Fault> {
    script.update(if frame == 0 { 0.0 } else { 1.0 / fps })
}

fn images(
    mut woken: Woken,
    (kind, size, fps): (Kind, Size, f64),
    frames: u32,
    talk: Talk,
) -> Result<Vec<u8>, Fault> {
    let gpu = Gpu::headless()?;
    let cache = Cache::open(&gpu.name());
    let mut painter = Painter::new(Renderer::with_cache(&gpu, cache.bytes()));
    let target = Target::new(&gpu, size.width, size.height)?;
    let mut progress = Progress::new(frames as usize, talk == Talk::Quiet);
    let mut settings = None;
    for frame in 0..frames {
        step(&mut woken, frame, fps)?;
        if kind == Kind::Png && frame + 1 < frames {
            continue;
        }
        progress.show(frame as usize);
        painter.draw(&woken.script, &target)?;
        let image = target.read(&gpu)?;
        if kind == Kind::Png {
            cache.keep(painter.renderer().cache());
            return Ok(film::still(&image)?);
        }
        let around = woken.script.stage().surroundings.background;
        let transparent = around == Background::Transparent;
        if transparent && kind == Kind::Mp4 {
            let message = "an MP4 has no transparency: expected another background, or .apng";
            return Err(Fault::Work(message.into()));
        }
        let frames = frames as usize;
        let settings = settings.get_or_insert_with(|| {
            let Size { width, height } = size;
            let kind = kind.of_film();
            Projector::new(FilmSettings { kind, width, height, frames, fps, transparent })
        });
        settings.add(image)?;
    }
    drop(progress);
    cache.keep(painter.renderer().cache());
    settings.map_or_else(|| Ok(Vec::new()), Projector::finish)
}

/// A film that begins once enough is known of its colours.
struct Projector {
    settings: FilmSettings,
    waiting: Vec<Image>,
    film: Option<Film>,
}

impl Projector {
    fn new(settings: FilmSettings) -> Self {
        Self { settings, waiting: Vec::new(), film: None }
    }

    fn add(&mut self, image: Image) -> Result<(), Fault> {
        if let Some(film) = &mut self.film {
            return Ok(film.add(&image)?);
        }
        self.waiting.push(image);
        let bytes: usize = self.waiting.iter().map(|image| image.rgba.len()).sum();
        match self.settings.kind == film::Kind::Gif && bytes < WAITING {
            true => Ok(()),
            false => self.begin(),
        }
    }

    fn begin(&mut self) -> Result<(), Fault> {
        let count = self.waiting.len().min(PALETTE_IMAGES);
        let chosen = (0..count).map(|index| &self.waiting[index * self.waiting.len() / count]);
        let palette = match self.settings.kind {
            film::Kind::Gif => Palette::of(chosen),
            _ => Palette::default(),
        };
        let mut film = Film::new(self.settings, palette)?;
        for image in self.waiting.drain(..) {
            film.add(&image)?;
        }
        self.film = Some(film);
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<u8>, Fault> {
        if self.film.is_none() {
            self.begin()?;
        }
        Ok(self.film.map_or_else(|| Ok(Vec::new()), Film::finish)?)
    }
}
