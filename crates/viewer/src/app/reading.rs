//! Files are read while the window lives on: one job at a time, and again when they change.

use eframe::egui::Context;

use super::App;
use crate::Options;
use crate::findings::Wanted;
use crate::load::{Base, Job, Outcome};
use crate::model::Source;
use crate::state::{How, State};
use crate::system::checker::Checker;
use crate::system::loader::{Loader, Progress};

/// What the viewer was started with. Without a model's file, clips and graphs are for the one that is open.
pub(super) fn first_jobs(options: Options, state: &State) -> Vec<Job> {
    let Options { files, anims, map, graphs, diff, .. } = options;
    let compare = diff.map(|file| Job::new(vec![file], How::Compare));
    if !files.is_empty() {
        let models = Job { clips: anims, map, graphs, ..Job::new(files, How::Replace) };
        return [Some(models), compare].into_iter().flatten().collect();
    }
    let mut jobs = Vec::new();
    if !anims.is_empty() {
        let base = state.model().map(Base::of);
        jobs.push(Job { base, map, ..Job::new(anims, How::Clips) });
    }
    if !graphs.is_empty() {
        jobs.push(Job { graphs, ..Job::new(Vec::new(), How::Add) });
    }
    jobs.extend(compare);
    jobs
}

impl App {
    pub(super) fn load(&mut self, context: &Context) {
        if self.loader.is_none()
            && let Some(mut job) = self.waiting.pop_front()
        {
            job.allow.clone_from(&self.options.allow);
            if job.how == How::Compare {
                // What is compared already is compared with another file.
                job.base = self.state.compared().or(self.state.model()).map(Base::of);
            }
            self.watch.reading(job.files());
            self.loader = Some(Loader::start(job, self.stage.uploader(), context));
        }
        let Some(loader) = &mut self.loader else { return };
        match loader.look() {
            Progress::Working(doing, seconds) => {
                // What is done at once needs no words.
                let long = seconds > 0.3;
                self.state.loading = long.then(|| format!("{doing} · {seconds:.1} s"));
                context.request_repaint_after_secs(0.1);
            }
            Progress::Done(outcome) => {
                self.loader = None;
                self.take_in(*outcome);
            }
        }
    }

    fn take_in(&mut self, outcome: Outcome) {
        let nothing = self.state.models.is_empty() && outcome.models.is_empty();
        self.state.receive(outcome);
        if nothing && self.waiting.is_empty() {
            // The message lies over the built-in character, not over nothing.
            self.state.open_built_in();
        }
    }

    /// Looks at the active model by every rule, on a thread of its own.
    pub(super) fn begin_check(&mut self, context: &Context) {
        let Some(model) = self.state.model() else { return };
        self.checker = Some(Checker::start(Wanted::of(model, &self.options.allow), context));
        self.state.say("checking the model…");
    }

    /// What a check has found, once it has ended, if its model is still the one that is shown.
    pub(super) fn take_findings(&mut self) {
        let Some(found) = self.checker.as_ref().and_then(Checker::look) else { return };
        self.checker = None;
        self.state.toast = None;
        let shown = self.state.model().map(|model| model.id);
        self.state.findings = found.filter(|found| shown == Some(found.model));
    }

    pub(super) fn reload(&mut self, wanted: impl Fn(&Source) -> bool) {
        if let Some(set) = &self.state.set {
            if self.state.models.iter().any(|model| wanted(&model.source)) {
                self.waiting.push_back(Job::new(vec![set.file.clone()], How::Replace));
            }
            return;
        }
        for model in self.state.models.iter().filter(|model| model.source.file.is_some()) {
            if wanted(&model.source) {
                let base = Some(Base::of(model));
                let job = Job { base, again: true, ..Job::new(Vec::new(), How::Add) };
                self.waiting.push_back(job);
            }
        }
    }

    /// Models whose files have changed.
    pub(super) fn read_changed(&mut self) {
        let sources = self.state.models.iter().map(|model| &model.source);
        let files = sources.flat_map(Source::files);
        let changed = self.watch.changed(files.map(std::path::PathBuf::as_path));
        if !changed.is_empty() {
            self.reload(|source| source.files().any(|file| changed.contains(file)));
        }
    }

    /// The graph of the active model, once its file has changed.
    pub(super) fn read_graph_again(&mut self) {
        let graph = self.state.model().and_then(|model| model.graph.as_ref());
        let Some(file) = graph.map(|graph| graph.file.clone()) else { return };
        if !self.watch.changed([file.as_path()].into_iter()).is_empty() {
            let job = Job { graphs: vec![file], ..Job::new(Vec::new(), How::Add) };
            self.waiting.push_back(job);
        }
    }
}
