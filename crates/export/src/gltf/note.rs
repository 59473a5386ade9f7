//! What the format could not say as the scene has it: sentences for the person who converts.

/// Collects sentences; the same one is kept once, with a count.
#[derive(Debug, Default)]
pub(super) struct Notes(Vec<(String, usize)>);

impl Notes {
    pub(super) fn add(&mut self, text: impl Into<String>) {
        self.add_times(text, 1);
    }

    /// The same for something that happened so often; not at all is no note.
    pub(super) fn add_times(&mut self, text: impl Into<String>, times: usize) {
        if times == 0 {
            return;
        }
        let text = text.into();
        match self.0.iter_mut().find(|(known, _)| *known == text) {
            Some((_, count)) => *count += times,
            None => self.0.push((text, times)),
        }
    }

    pub(super) fn into_sentences(self) -> Vec<String> {
        let say = |(text, count): (String, usize)| match count {
            1 => text,
            _ => format!("{text} ({count} times)"),
        };
        self.0.into_iter().map(say).collect()
    }
}
