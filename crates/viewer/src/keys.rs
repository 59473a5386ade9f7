//! Every key and what it does: one table, read by the keyboard and by the help sheet.

use eframe::egui::{Context, Event, Key, Modifiers};

use crate::modes::Switch;
use crate::orbit::View;

/// What a person can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Play,
    Step(i64),
    NextKey,
    PreviousKey,
    First,
    Last,
    NextClip,
    PreviousClip,
    Slower,
    Faster,
    PlainSpeed,
    LoopMode,
    Look(View),
    Frame,
    FrameAll,
    Flat,
    Switch(Switch),
    Place,
    Reach,
    Deselect,
    Parent,
    HidePanels,
    Tree,
    Inspector,
    Timeline,
    Search,
    Open,
    Check,
    Compare,
    Reload,
    Screenshot,
    Film,
    Help,
    FullScreen,
    Quit,
}

impl Action {
    /// Whether it is done again and again while its key is held.
    fn repeats(self) -> bool {
        matches!(self, Self::Step(_) | Self::NextKey | Self::PreviousKey)
    }
}

/// A key with what is held beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chord {
    pub(crate) key: Key,
    pub(crate) control: bool,
    pub(crate) shift: bool,
}

impl Chord {
    const fn plain(key: Key) -> Self {
        Self { key, control: false, shift: false }
    }

    const fn control(key: Key) -> Self {
        Self { key, control: true, shift: false }
    }

    const fn shift(key: Key) -> Self {
        Self { key, control: false, shift: true }
    }

    /// Whether a key with what is held beside it is this chord.
    fn is(self, key: Key, held: Modifiers) -> bool {
        // A question mark is typed with Shift on most keyboards, and some report its place, not its sign.
        if self.key == Key::Questionmark {
            return key == Key::Questionmark || (key == Key::Slash && held.shift);
        }
        key == self.key && held.command == self.control && held.shift == self.shift && !held.alt
    }

    /// As people write it.
    pub(crate) fn words(self) -> String {
        let key = match self.key {
            Key::ArrowLeft => "Left",
            Key::ArrowRight => "Right",
            Key::ArrowUp => "Up",
            Key::ArrowDown => "Down",
            Key::PageUp => "Page Up",
            Key::PageDown => "Page Down",
            Key::Escape => "Esc",
            Key::Questionmark => "?",
            Key::Minus => "-",
            Key::Equals => "=",
            Key::Comma => ",",
            key => key.name(),
        };
        let control = if self.control { "Ctrl " } else { "" };
        let shift = if self.shift { "Shift " } else { "" };
        format!("{control}{shift}{key}")
    }
}

/// A part of the help sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Time,
    View,
    Show,
    Window,
}

impl Group {
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Time => "Time",
            Self::View => "Camera",
            Self::Show => "Show",
            Self::Window => "Window and files",
        }
    }
}

/// One line of the help sheet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) chord: Chord,
    pub(crate) action: Action,
    pub(crate) group: Group,
    pub(crate) words: &'static str,
}

const fn entry(chord: Chord, action: Action, group: Group, words: &'static str) -> Entry {
    Entry { chord, action, group, words }
}

/// What the mouse does; for the help sheet.
pub(crate) const MOUSE: &[(&str, &str)] = &[
    ("Left or middle drag", "orbit about the target"),
    ("Shift or right drag", "move aside"),
    ("Wheel", "nearer and farther, to the pointer"),
    ("Click", "select the joint under the pointer"),
    ("Double click", "frame what is selected"),
    ("Drag a ring", "move what a joint reaches for"),
    ("Drop files", "open a model or a graph, add clips, or light by an image"),
    ("Ctrl and drop", "compare the model with the file"),
];

use Action as A;
use Chord as C;
use Group as G;

/// Every key.
pub(crate) const KEYS: &[Entry] = &[
    entry(C::plain(Key::Space), A::Play, G::Time, "play or pause"),
    entry(C::plain(Key::ArrowRight), A::Step(1), G::Time, "next frame"),
    entry(C::plain(Key::ArrowLeft), A::Step(-1), G::Time, "previous frame"),
    entry(C::plain(Key::ArrowUp), A::NextKey, G::Time, "next key"),
    entry(C::plain(Key::ArrowDown), A::PreviousKey, G::Time, "previous key"),
    entry(C::plain(Key::Home), A::First, G::Time, "to the start"),
    entry(C::plain(Key::End), A::Last, G::Time, "to the end"),
    entry(C::plain(Key::PageDown), A::NextClip, G::Time, "next clip"),
    entry(C::plain(Key::PageUp), A::PreviousClip, G::Time, "previous clip"),
    entry(C::plain(Key::Minus), A::Slower, G::Time, "half the speed"),
    entry(C::plain(Key::Equals), A::Faster, G::Time, "twice the speed"),
    entry(C::plain(Key::Backspace), A::PlainSpeed, G::Time, "speed as filed"),
    entry(C::plain(Key::R), A::LoopMode, G::Time, "once, loop, there and back"),
    entry(C::plain(Key::F), A::Frame, G::View, "frame the selection"),
    entry(C::shift(Key::F), A::FrameAll, G::View, "frame everything"),
    entry(C::plain(Key::Num1), A::Look(View::Front), G::View, "front"),
    entry(C::plain(Key::Num3), A::Look(View::Left), G::View, "the model's left"),
    entry(C::plain(Key::Num7), A::Look(View::Top), G::View, "top"),
    entry(C::control(Key::Num1), A::Look(View::Back), G::View, "back"),
    entry(C::control(Key::Num3), A::Look(View::Right), G::View, "the model's right"),
    entry(C::control(Key::Num7), A::Look(View::Bottom), G::View, "bottom"),
    entry(C::plain(Key::Num0), A::Look(View::ThreeQuarter), G::View, "three-quarter"),
    entry(C::plain(Key::Num5), A::Flat, G::View, "with or without perspective"),
    entry(C::plain(Key::U), A::Switch(Switch::Surfaces), G::Show, "surfaces"),
    entry(C::plain(Key::S), A::Switch(Switch::Skeleton), G::Show, "skeleton"),
    entry(C::plain(Key::A), A::Switch(Switch::Axes), G::Show, "axes of joints"),
    entry(C::plain(Key::N), A::Switch(Switch::Names), G::Show, "names of joints"),
    entry(C::plain(Key::V), A::Switch(Switch::Path), G::Show, "path over the floor"),
    entry(C::plain(Key::H), A::Switch(Switch::Heat), G::Show, "heat-map of weights"),
    entry(C::plain(Key::W), A::Switch(Switch::Wireframe), G::Show, "wireframe"),
    entry(C::plain(Key::M), A::Switch(Switch::Normals), G::Show, "normals"),
    entry(C::plain(Key::B), A::Switch(Switch::Bounds), G::Show, "bounds"),
    entry(C::plain(Key::G), A::Switch(Switch::Grid), G::Show, "grid"),
    entry(C::plain(Key::D), A::Switch(Switch::Shadows), G::Show, "shadows"),
    entry(C::plain(Key::K), A::Switch(Switch::Sky), G::Show, "sky"),
    entry(C::plain(Key::J), A::Switch(Switch::Fog), G::Show, "fog"),
    entry(C::plain(Key::O), A::Switch(Switch::Occlusion), G::Show, "occlusion"),
    entry(C::plain(Key::Z), A::Switch(Switch::Follow), G::View, "go along with the model"),
    entry(C::plain(Key::L), A::Switch(Switch::Lights), G::Show, "lights of the file"),
    entry(C::plain(Key::X), A::Reach, G::Show, "have the selected joint reach"),
    entry(C::plain(Key::E), A::Place, G::Show, "the place around Ossi"),
    entry(C::control(Key::O), A::Open, G::Window, "open files"),
    entry(C::plain(Key::C), A::Check, G::Window, "what is wrong with the model"),
    entry(C::shift(Key::C), A::Compare, G::Window, "compare with another file"),
    entry(C::control(Key::R), A::Reload, G::Window, "read the files again"),
    entry(C::control(Key::S), A::Screenshot, G::Window, "save an image"),
    entry(C::control(Key::G), A::Film, G::Window, "save a GIF"),
    entry(C::control(Key::F), A::Search, G::Window, "search the tree"),
    entry(C::plain(Key::P), A::Parent, G::Window, "select the parent"),
    entry(C::plain(Key::Escape), A::Deselect, G::Window, "close, or select nothing"),
    entry(C::plain(Key::Tab), A::HidePanels, G::Window, "fold all panels away"),
    entry(C::plain(Key::T), A::Tree, G::Window, "tree"),
    entry(C::plain(Key::I), A::Inspector, G::Window, "inspector"),
    entry(C::plain(Key::Y), A::Timeline, G::Window, "timeline"),
    entry(C::plain(Key::F11), A::FullScreen, G::Window, "full screen"),
    entry(C::plain(Key::Questionmark), A::Help, G::Window, "this sheet"),
    entry(C::control(Key::Q), A::Quit, G::Window, "quit"),
];

/// The key of an action, for hints.
pub(crate) fn key_of(action: Action) -> Option<String> {
    KEYS.iter().find(|entry| entry.action == action).map(|entry| entry.chord.words())
}

/// What was asked for since the last frame, in order. While text is typed, only what is held with Ctrl and Esc count.
///
/// Each key counts with what was held when it was pressed: after a slow frame, Ctrl is long released.
pub(crate) fn pressed(context: &Context) -> Vec<Action> {
    let mut typing = context.egui_wants_keyboard_input();
    context.input_mut(|input| {
        let mut wanted = Vec::new();
        input.events.retain(|event| {
            let Event::Key { key, pressed: true, modifiers, repeat, .. } = event else {
                return true;
            };
            let Some(entry) = KEYS.iter().find(|entry| entry.chord.is(*key, *modifiers)) else {
                return true;
            };
            if typing && !entry.chord.control && entry.chord.key != Key::Escape {
                return true;
            }
            if !*repeat || entry.action.repeats() {
                wanted.push(entry.action);
            }
            // What follows is meant for the line that now has the keyboard.
            typing |= matches!(entry.action, Action::Open | Action::Search);
            false
        });
        wanted
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_does_two_things_and_nothing_has_two_keys() {
        for (index, entry) in KEYS.iter().enumerate() {
            for other in &KEYS[index + 1..] {
                assert_ne!(entry.chord, other.chord, "{} and {}", entry.words, other.words);
                assert_ne!(entry.action, other.action, "{}", entry.words);
            }
        }
    }

    #[test]
    fn every_switch_of_the_top_bar_has_a_key() {
        for switch in Switch::ALL {
            assert!(key_of(Action::Switch(switch)).is_some(), "{switch:?}");
        }
    }

    #[test]
    fn a_chord_is_its_key_with_just_what_is_held_beside_it() {
        let open = Chord::control(Key::O);
        assert!(open.is(Key::O, Modifiers::COMMAND) && !open.is(Key::O, Modifiers::NONE));
        assert!(!Chord::plain(Key::S).is(Key::S, Modifiers::COMMAND));
        assert!(!Chord::plain(Key::F).is(Key::F, Modifiers::SHIFT));
        let help = Chord::plain(Key::Questionmark);
        assert!(
            help.is(Key::Questionmark, Modifiers::SHIFT) && help.is(Key::Slash, Modifiers::SHIFT)
        );
        assert!(!help.is(Key::Slash, Modifiers::NONE));
    }

    #[test]
    fn chords_are_written_as_people_write_them() {
        assert_eq!(key_of(Action::Open).as_deref(), Some("Ctrl O"));
        assert_eq!(key_of(Action::Step(-1)).as_deref(), Some("Left"));
        assert_eq!(key_of(Action::Help).as_deref(), Some("?"));
    }
}
