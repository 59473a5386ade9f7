//! The running window: lets time pass, does what was asked for, shows panels and image.

#[cfg(target_arch = "wasm32")]
mod page;
mod reading;
mod saving;

use std::collections::VecDeque;

use eframe::egui::{self, Context, Key, ViewportCommand};
use sinew::render::{Gpu, PendingImage};

use crate::keys::{self, Action};
use crate::load::{Base, Diagnostic, Job};
use crate::panels;
use crate::stage::Stage;
use crate::state::{How, Request, State};
use crate::system::checker::Checker;
use crate::system::filming::Filming;
use crate::system::loader::Loader;
use crate::system::lost::Lost;
use crate::system::remember::{self, Kept};
use crate::system::watch::Watch;
use crate::{Open, Options, theme};

/// Seconds between two looks at the files, and at what is to be kept.
const LOOK: f64 = 1.0;
/// A longer pause between two frames does not make time jump.
const LONGEST_STEP: f32 = 0.25;

/// The running viewer.
pub(crate) struct App {
    state: State,
    stage: Stage,
    thumbnails: panels::Thumbnails,
    loader: Option<Loader>,
    checker: Option<Checker>,
    waiting: VecDeque<Job>,
    filming: Option<Filming>,
    /// An image that is to be saved.
    pending_image: Option<PendingImage>,
    watch: Watch,
    looked: f64,
    /// As it was started.
    options: Options,
    lost: Lost,
    kept: Kept,
    /// Tab was pressed; egui would move the focus with it.
    tab: bool,
    full_screen: bool,
    title: String,
    /// What the page was told last.
    #[cfg(target_arch = "wasm32")]
    told: String,
    /// Where its address leads.
    #[cfg(target_arch = "wasm32")]
    linked: crate::link::Link,
}

impl App {
    pub(crate) fn new(
        context: &eframe::CreationContext<'_>,
        options: Options,
        kept: Kept,
        lost: Lost,
    ) -> Result<Self, String> {
        let shared =
            context.wgpu_render_state.as_ref().ok_or("the window has no graphics device")?;
        let gpu = Gpu::from_parts(shared.device.clone(), shared.queue.clone()).watched();
        let stage = Stage::new(gpu, shared.target_format).map_err(|error| error.to_string())?;
        lost.watch(stage.health());
        theme::apply(&context.egui_ctx);
        let state = State {
            modes: kept.modes,
            panels: panels_at_start(&kept),
            look: kept.look,
            fade: kept.fade,
            device: stage.device(),
            diagnostics: options.after_loss.then(lost_before).into_iter().collect(),
            ..State::default()
        };
        let mut app = Self {
            state,
            stage,
            thumbnails: panels::Thumbnails::default(),
            loader: None,
            checker: None,
            waiting: VecDeque::new(),
            filming: None,
            pending_image: None,
            watch: Watch::default(),
            looked: 0.0,
            options: options.clone(),
            lost,
            kept,
            tab: false,
            full_screen: false,
            title: String::new(),
            #[cfg(target_arch = "wasm32")]
            told: String::new(),
            #[cfg(target_arch = "wasm32")]
            linked: Vec::new(),
        };
        if options.files.is_empty() {
            app.state.open_built_in();
        }
        app.waiting.extend(reading::first_jobs(options, &app.state));
        app.note();
        Ok(app)
    }

    /// Notes what is open, should the device be lost.
    fn note(&self) {
        let sources = self.state.models.iter().map(|model| &model.source);
        let mut files: Vec<_> = sources.clone().filter_map(|source| source.file.clone()).collect();
        files.dedup();
        let anims = sources.clone().flat_map(|source| source.clips.clone()).collect();
        let map = sources.clone().find_map(|source| source.map.clone());
        // Files are opened in this order, and a graph is for the first model that moves.
        let lead = self.state.models.iter().find(|model| !model.placement.scenery);
        let graph = lead.and_then(|model| model.graph.as_ref());
        let graphs = graph.map(|graph| graph.file.clone()).into_iter().collect();
        // While the first files are being read, they are what is wanted.
        let Options { files: wanted, anims: clips, .. } = &self.options;
        self.lost.note(if files.is_empty() && self.is_reading() {
            Open {
                files: wanted.clone(),
                anims: clips.clone(),
                map: self.options.map.clone(),
                graphs: self.options.graphs.clone(),
            }
        } else {
            Open { files, anims, map, graphs }
        });
    }

    /// Whether files are being read, or about to be.
    fn is_reading(&self) -> bool {
        self.loader.is_some() || !self.waiting.is_empty()
    }

    fn listen(&mut self, context: &Context) {
        for action in keys::pressed(context) {
            self.state.act(action);
        }
        if std::mem::take(&mut self.tab) && !context.egui_wants_keyboard_input() {
            self.state.act(Action::HidePanels);
        }
        let (dropped, chosen) = handed_over(context);
        if !dropped.is_empty() {
            let held = context.input(|input| input.modifiers);
            let how = chosen.unwrap_or(match (held.command, held.shift) {
                (true, _) => How::Compare,
                (false, true) => How::Add,
                (false, false) => How::Replace,
            });
            self.state.requests.push(Request::Open(dropped, how));
        }
    }

    fn answer(&mut self, context: &Context) {
        for request in std::mem::take(&mut self.state.requests) {
            match request {
                Request::Open(paths, how) => {
                    let base = self.state.model().map(Base::of);
                    self.waiting.push_back(Job { base, ..Job::new(paths, how) });
                }
                Request::Check => self.begin_check(context),
                Request::Reload => self.reload(|_| true),
                Request::Screenshot => self.pending_image = self.stage.read_later(),
                Request::Film => self.begin_film(context),
                Request::StopFilm => {
                    self.filming = None;
                    self.state.filming = None;
                    self.state.say("the GIF was stopped");
                }
                Request::FullScreen => {
                    self.full_screen ^= true;
                    context.send_viewport_cmd(ViewportCommand::Fullscreen(self.full_screen));
                }
                Request::Quit => context.send_viewport_cmd(ViewportCommand::Close),
            }
        }
    }

    /// Once a second: have files changed, has what is kept?
    fn look_around(&mut self, context: &Context) {
        let now = context.input(|input| input.time);
        context.request_repaint_after_secs(LOOK as f32);
        if now - self.looked < LOOK {
            return;
        }
        self.looked = now;
        if self.loader.is_none() {
            self.read_changed();
            self.read_graph_again();
        }
        self.keep(context);
        self.note();
        #[cfg(target_arch = "wasm32")]
        self.keep_address();
    }

    fn keep(&mut self, context: &Context) {
        if !self.options.remember {
            return;
        }
        let size = context.content_rect().size();
        let (modes, look) = self.state.own_modes.unwrap_or((self.state.modes, self.state.look));
        let window = if self.full_screen { self.kept.window } else { [size.x, size.y] };
        let now = Kept { window, modes, panels: self.state.panels, look, fade: self.state.fade };
        if now != self.kept && window[0] >= 200.0 {
            remember::write(&now);
            self.kept = now;
        }
    }

    fn draw(&mut self, ui: &mut egui::Ui, rect: egui::Rect) {
        let scale = ui.ctx().pixels_per_point();
        self.state.scale = scale;
        let width = (rect.width() * scale).round();
        let height = (rect.height() * scale).round();
        let drawn = self.stage.draw(&self.state, width.max(0.0) as u32, height.max(0.0) as u32);
        match drawn {
            Ok(stats) => {
                self.state.cost.draws = stats.draws;
                self.state.cost.uploaded = stats.uploaded;
                self.state.cost.seen = stats.seen;
                self.state.cost.culled = stats.culled;
                let shown = self.stage.shown().clone();
                ui.painter().add(eframe::egui_wgpu::Callback::new_paint_callback(rect, shown));
            }
            // Nothing can be drawn any more, not even a sentence: another window takes over.
            Err(sinew::render::RenderError::DeviceLost(_)) => {
                ui.ctx().send_viewport_cmd(ViewportCommand::Close);
            }
            Err(error) => {
                let failure = failed(&error);
                if !self.state.diagnostics.contains(&failure) {
                    self.state.diagnostics.push(failure);
                }
            }
        }
    }

    fn name_window(&mut self, context: &Context) {
        let set = self.state.set.as_ref().and_then(|set| set.file.file_name());
        let compared = self.state.diff.as_ref().map(|diff| &diff.titles);
        let title = match self.state.model() {
            Some(_) if compared.is_some() => {
                let both = compared.map(|titles| titles.join(" and ")).unwrap_or_default();
                format!("{both} – Sinew")
            }
            Some(_) if set.is_some() => {
                format!("{} – Sinew", set.unwrap_or_default().to_string_lossy())
            }
            Some(model) => format!("{} – Sinew", model.title),
            None => "Sinew".to_owned(),
        };
        if title != self.title {
            #[cfg(target_arch = "wasm32")]
            crate::web::name_page(&title);
            context.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }
}

/// Files that were dropped on the window; what is to become of them is for the keys that are held.
#[cfg(not(target_arch = "wasm32"))]
fn handed_over(context: &Context) -> (Vec<std::path::PathBuf>, Option<How>) {
    let files = context.input(|input| {
        let files = input.raw.dropped_files.iter();
        files.map(|file| file.path().to_owned()).collect()
    });
    (files, None)
}

/// In a browser the page reads what is dropped or chosen, and hands it over.
#[cfg(target_arch = "wasm32")]
fn handed_over(_: &Context) -> (Vec<std::path::PathBuf>, Option<How>) {
    crate::web::wanted()
}

/// Without the place where all panels are hidden: nobody finds them again.
fn panels_at_start(kept: &Kept) -> crate::modes::Panels {
    crate::modes::Panels { hidden: false, ..kept.panels }
}

/// What a window says that has taken the place of another.
fn lost_before() -> Diagnostic {
    Diagnostic {
        title: "The graphics device was lost".into(),
        sentence: "Its driver was reset, or it was unplugged. The viewer has started anew.".into(),
        advice: "Your files are untouched. Should it happen again, look for a newer driver.".into(),
    }
}

fn failed(error: &sinew::render::RenderError) -> Diagnostic {
    use sinew::render::RenderError;
    let advice = match error {
        RenderError::TooMuchData { .. } | RenderError::TargetTooLarge { .. } => {
            "The model is larger than this graphics device can hold: open a smaller one."
        }
        _ => "Close the viewer and start it again; should it happen once more, please report it.",
    };
    Diagnostic {
        title: "Drawing has failed".into(),
        sentence: format!("{error}."),
        advice: advice.into(),
    }
}

impl eframe::App for App {
    fn raw_input_hook(&mut self, _: &Context, input: &mut egui::RawInput) {
        let tab = |event: &egui::Event| matches!(event, egui::Event::Key { key: Key::Tab, pressed: true, modifiers, .. } if modifiers.is_none());
        self.tab |= input.events.iter().any(tab);
        input.events.retain(|event| !matches!(event, egui::Event::Key { key: Key::Tab, .. }));
    }

    fn logic(&mut self, context: &Context, _: &mut eframe::Frame) {
        self.listen(context);
        self.answer(context);
        self.load(context);
        #[cfg(target_arch = "wasm32")]
        self.follow_address();
        self.take_findings();
        self.film();
        self.save_image(context);
        let seconds = context.input(|input| input.unstable_dt).min(LONGEST_STEP);
        let rate = 1.0 / seconds.max(1e-4);
        let old = self.state.cost.frames_a_second;
        self.state.cost.frames_a_second = if old > 0.0 { old + (rate - old) * 0.08 } else { rate };
        self.state.advance(seconds);
        self.look_around(context);
        self.name_window(context);
        #[cfg(target_arch = "wasm32")]
        self.tell_page();
        if let Some(seconds) = self.options.lose_after
            && context.input(|input| input.time) > f64::from(seconds)
        {
            self.stage.lose();
        }
        if self.state.is_lively() {
            context.request_repaint();
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        let rect = panels::around(ui, &mut self.state, &mut self.thumbnails);
        panels::viewport::listen(ui, &mut self.state, rect);
        self.draw(ui, rect);
        panels::over(ui, &mut self.state, rect);
    }

    fn on_exit(&mut self) {
        if self.options.remember && self.kept != remember::read() {
            remember::write(&self.kept);
        }
    }
}
