//! What a joint's name says: a side, a part, a number.
//!
//! In:  a name as any program writes it: `mixamorig:LeftUpLeg`, `Bip01 L Thigh`, `DEF-thigh.L`,
//! `J_Bip_L_UpperLeg`, `lThigh`, `Lupleg`, `thigh_l`.
//! Out: a [`Reading`]: the side, and what is left of the words when prefixes and signs are gone.

use crate::slot::Side;
use crate::vocabulary;

/// A name, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) side: Option<Side>,
    /// The words that are left, in small letters.
    pub(crate) words: Vec<String>,
    /// The last number, as it is written.
    pub(crate) digits: String,
    /// A control, a tip or a twist, which no part of a body is made of.
    pub(crate) helper: bool,
}

impl Reading {
    /// All words in one.
    pub(crate) fn key(&self) -> String {
        self.words.concat()
    }

    /// The number, or zero.
    pub(crate) fn number(&self) -> u32 {
        self.digits.parse().unwrap_or(0)
    }
}

/// What a program puts before every name.
const PREFIXES: &[&str] = &[
    "mixamorig",
    "bip",
    "valvebiped",
    "valve",
    "biped",
    "def",
    "org",
    "cc",
    "character",
    "armature",
    "skeleton",
    "skel",
    "rig",
    "jnt",
    "joint",
    "bone",
    "bn",
    "b",
    "j",
    "c",
    "g",
    "genesis",
    "metarig",
    "stretch",
    "jt",
];

/// Words of joints that only help others to move.
const HELPERS: &[&str] = &[
    "ctrl",
    "control",
    "ik",
    "fk",
    "pole",
    "target",
    "twist",
    "roll",
    "effector",
    "nub",
    "end",
    "site",
    "mch",
    "sec",
    "adj",
    "helper",
    "constraint",
    "footsteps",
    "weapon",
    "prop",
    "socket",
    "attach",
    "heel",
    "geometry",
    "camera",
    "light",
    "tiptoe",
    "ponytail",
    "hair",
    "eye",
    "jaw",
];

/// Reads a name.
pub(crate) fn read(name: &str) -> Reading {
    let name = name.rsplit(['|', ':']).next().unwrap_or(name);
    // What an importer adds in brackets names no other thing, but for a tip or a mesh.
    let bare = name.split(" (").next().unwrap_or(name);
    let mut reading = Reading {
        helper: name.contains("(geometry)") || name.contains("(camera)"),
        ..Reading::default()
    };
    let mut after_prefix = true;
    for word in split(bare) {
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            // The number of a prefix, as in Bip01, counts nothing.
            if !after_prefix {
                reading.digits = word;
            }
            continue;
        }
        let prefix = PREFIXES.contains(&&word[..])
            || (word == "base" && after_prefix && reading.words.is_empty());
        after_prefix = prefix && reading.words.is_empty();
        if prefix {
            continue;
        }
        if HELPERS.iter().any(|helper| word == *helper) {
            reading.helper = true;
        }
        take(&word, &mut reading);
    }
    reading
}

/// Takes a word in: as a side, as a side and a word in one, or as a word.
fn take(word: &str, reading: &mut Reading) {
    let side = |word: &str| match word {
        "l" | "left" | "lf" | "lft" => Some(Side::Left),
        "r" | "right" | "rt" | "rgt" => Some(Side::Right),
        _ => None,
    };
    if let (None, Some(side)) = (reading.side, side(word)) {
        reading.side = Some(side);
        return;
    }
    for start in ["left", "right", "l", "r"] {
        if let Some(rest) = word.strip_prefix(start)
            && reading.side.is_none()
            && vocabulary::knows(rest)
            && !vocabulary::knows(word)
        {
            reading.side = side(start);
            reading.words.push(rest.to_owned());
            return;
        }
    }
    reading.words.push(word.to_owned());
}

/// Words and numbers: at signs, where a small letter meets a capital, and where letters meet digits.
fn split(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().take(128).collect();
    let mut words: Vec<String> = Vec::new();
    let mut before: Option<char> = None;
    for (at, &letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            before = None;
            continue;
        }
        let next = letters.get(at + 1);
        let starts = before.is_none_or(|last| {
            let capital = letter.is_uppercase()
                && (last.is_lowercase()
                    || (last.is_uppercase() && next.is_some_and(|next| next.is_lowercase())));
            capital || last.is_ascii_digit() != letter.is_ascii_digit()
        });
        if starts {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
        before = Some(letter);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str) -> (Option<Side>, String, u32) {
        let reading = read(name);
        (reading.side, reading.key(), reading.number())
    }

    #[test]
    fn a_left_thigh_is_written_in_many_ways() {
        for (name, key) in [
            ("mixamorig:LeftUpLeg", "upleg"),
            ("mixamorig1:LeftUpLeg", "upleg"),
            ("LeftUpLeg", "upleg"),
            ("leftUpperLeg", "upperleg"),
            ("Bip01 L Thigh", "thigh"),
            ("Bip001_L_Thigh", "thigh"),
            ("ValveBiped.Bip01_L_Thigh", "thigh"),
            ("DEF-thigh.L", "thigh"),
            ("thigh_l", "thigh"),
            ("J_Bip_L_UpperLeg", "upperleg"),
            ("CC_Base_L_Thigh", "thigh"),
            ("lThigh", "thigh"),
            ("Lupleg", "upleg"),
            ("lfemur", "femur"),
            ("LeftHip", "hip"),
            ("UpperLeg_L", "upperleg"),
            ("Character1_LeftUpLeg (unscaled)", "upleg"),
            ("Armature|Thigh.Left", "thigh"),
        ] {
            assert_eq!(told(name), (Some(Side::Left), key.to_owned(), 0), "{name}");
        }
    }

    #[test]
    fn a_word_that_begins_like_a_side_is_none() {
        for name in ["lowerarm", "Root", "Ring", "leg", "LowerBack", "Rib"] {
            assert_eq!(read(name).side, None, "{name}");
        }
    }

    #[test]
    fn numbers_of_prefixes_do_not_count_and_those_of_joints_do() {
        assert_eq!(told("Bip01 Spine1"), (None, "spine".into(), 1));
        assert_eq!(told("f_index.02.R"), (Some(Side::Right), "findex".into(), 2));
        assert_eq!(read("Bip01 L Finger01").digits, "01");
    }

    #[test]
    fn tips_twists_and_controls_are_helpers() {
        for name in
            ["Head_End", "Bip01 HeadNub", "upperarm_twist_01_l", "ik_foot_l", "LeftFootCtrl"]
        {
            assert!(read(name).helper, "{name}");
        }
        assert!(!read("LeftFoot").helper);
    }
}
