//! Translated texts cut into functions and declarations: what several shaders have is kept once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::maps;

/// Other names for some.
pub(crate) type Names = BTreeMap<String, String>;

/// What is chosen when a pipeline is made: its name, and the type in GLSL.
pub(crate) type Flags = BTreeMap<String, &'static str>;

/// All texts so far, each once.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) texts: Vec<String>,
    known: HashMap<String, u16>,
}

impl Parts {
    /// Adds a translated text; gives the numbers of its parts.
    pub(crate) fn add(&mut self, text: &str, names: &Names, flags: &Flags) -> Vec<u16> {
        let is_flag = |line: &str| {
            let name = line.split_whitespace().nth(1);
            name.is_some_and(|name| flags.contains_key(name)) && line.contains(" = ")
        };
        // The version stands first and is said by who links; a flag is defined there too.
        let kept = |item: &String| !item.starts_with("#version") && !is_flag(item);
        let items = needed(items(text)).into_iter().filter(kept);
        let items: Vec<String> = items.map(|item| renamed(&item, names, flags)).collect();
        let shared: BTreeSet<&str> = items.iter().flat_map(|item| shared_names(item)).collect();
        let short = |item: &String| where_read(with_map(short_locals(item, &shared)));
        items.iter().map(short).map(|text| self.number(text)).collect()
    }

    fn number(&mut self, text: String) -> u16 {
        let next = self.texts.len() as u16;
        *self.known.entry(text).or_insert_with_key(|text| {
            self.texts.push(text.clone());
            next
        })
    }
}

/// A text in which everything that is chosen later is a variable; and what that is.
pub(crate) fn flags(source: &str) -> (String, Flags) {
    let mut found = Flags::new();
    let mut text = String::new();
    let mut rest = source;
    // `override NAME:TYPE=VALUE;`, `const HAS_NAME = VALUE;`
    while let Some((at, word)) =
        [(rest.find("override "), "override "), (rest.find("const HAS_"), "const ")]
            .into_iter()
            .filter_map(|(at, word)| at.map(|at| (at, word)))
            .min()
    {
        text += &rest[..at];
        let (said, after) = rest[at + word.len()..].split_once(';').expect("a declaration ends");
        let (left, value) = said.split_once('=').expect("a flag has a value");
        let (name, kind) = left.split_once(':').unwrap_or((left, "bool"));
        let (name, kind) = (name.trim(), kind.trim());
        let in_glsl = match kind {
            "bool" => "bool",
            "u32" => "uint",
            "f32" => "float",
            other => panic!("{name}: expected bool, u32 or f32, found {other}"),
        };
        found.insert(name.to_owned(), in_glsl);
        text += &format!("var<private> {name}: {kind} = {value};");
        rest = after;
    }
    (text + rest, found)
}

/// Declarations and functions, each with the end of its last line, without what only people read.
fn items(text: &str) -> Vec<String> {
    let mut items = Vec::new();
    let mut item = String::new();
    let mut depth = 0_i32;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        item += line;
        item += "\n";
        depth += line.matches('{').count() as i32 - line.matches('}').count() as i32;
        if depth == 0 && (line.ends_with(';') || line.ends_with('}') || line.starts_with('#')) {
            items.push(std::mem::take(&mut item));
        }
    }
    assert!(item.is_empty(), "a part without an end: {item}");
    items
}

/// With other names, and with flags in the places where they were read into variables.
fn renamed(item: &str, names: &Names, flags: &Flags) -> String {
    let flag = |name: &str| flags.get(name).map(|kind| format!("{kind}({name})"));
    let mut read = Names::new();
    let mut lines = String::new();
    for line in item.lines() {
        let words: Vec<&str> = line.trim_end_matches(';').split(' ').collect();
        match words[..] {
            [_, variable, "=", name] if variable.starts_with("_e") && flags.contains_key(name) => {
                read.insert(variable.to_owned(), flag(name).unwrap_or_default());
            }
            _ => {
                lines += line;
                lines += "\n";
            }
        }
    }
    let mut out = String::new();
    let mut word = String::new();
    for letter in lines.chars().chain(['\n']) {
        if letter.is_ascii_alphanumeric() || letter == '_' {
            word.push(letter);
            continue;
        }
        out += &match names.get(&word).or(read.get(&word)).cloned().or_else(|| flag(&word)) {
            Some(other) => other,
            None => place(&word),
        };
        word.clear();
        out.push(letter);
    }
    out.pop();
    // Rows of a texture run downwards, those of a canvas upwards: who draws says which.
    match out.contains("vec2(-gl_Position.y") {
        true => {
            "uniform float flip_y;\n".to_owned()
                + &out.replace("vec2(-gl_Position.y", "vec2(flip_y*gl_Position.y")
        }
        false => out,
    }
}

/// Words, and what is between them.
fn pieces(text: &str) -> Vec<&str> {
    let in_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|letter| in_word(letter) != in_word(first)).unwrap_or(rest.len());
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces
}

/// Whether an item is a function: its first line may be another's declaration.
fn is_function(item: &str) -> bool {
    item.contains(") {\n") && !item.starts_with("struct ")
}

/// Names that other items may know: a function's or a structure's own, and all of other declarations.
fn shared_names(item: &str) -> Vec<&str> {
    if is_function(item) {
        let head = item.split('(').next().unwrap_or_default();
        return pieces(head);
    }
    let all = pieces(item);
    if item.starts_with("struct ") { all[2..3].to_vec() } else { all }
}

/// With short names for what a function declares: they are numbered through all of a shader, and the same function of two shaders would
/// differ by them.
fn short_locals(item: &str, shared: &BTreeSet<&str>) -> String {
    if !is_function(item) {
        return item.to_owned();
    }
    let pieces = pieces(item);
    let is_name = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let mut own: BTreeMap<&str, String> = BTreeMap::new();
    for around in pieces.windows(4) {
        let [kind, " ", name, next] = *around else { continue };
        let is_type = is_name(kind) && !["return", "else", "in", "inout", "out"].contains(&kind);
        let ends = next.starts_with([';', ',', ')', '[']) || next.starts_with(" = ");
        if is_type && is_name(name) && ends && !shared.contains(name) {
            let short = format!("v{}", own.len());
            own.entry(name).or_insert(short);
        }
    }
    let mut out = String::new();
    for piece in pieces {
        let is_member = out.ends_with('.');
        out += own.get(piece).filter(|_| !is_member).map_or(piece, String::as_str);
    }
    out
}

/// A shorter name for what is bound, the same in both stages.
fn place(word: &str) -> String {
    match word.strip_prefix("_group_") {
        Some(rest) => {
            format!("g{}", rest.replace("_binding_", "_").replace("_vs", "").replace("_fs", ""))
        }
        None => word.to_owned(),
    }
}

/// Without functions, structures and constants that nobody uses: a browser would translate them too.
fn needed(items: Vec<String>) -> Vec<String> {
    let names: Vec<Option<String>> = items.iter().map(|item| defined(item)).collect();
    let mut is_needed: Vec<bool> = names.iter().map(Option::is_none).collect();
    loop {
        let mut used = BTreeSet::new();
        for (item, _) in items.iter().zip(&is_needed).filter(|(_, needed)| **needed) {
            let in_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            used.extend(item.split(|letter| !in_word(letter)));
        }
        let before = is_needed.iter().filter(|needed| **needed).count();
        for (needed, name) in is_needed.iter_mut().zip(&names) {
            *needed |= name.as_deref().is_some_and(|name| used.contains(name));
        }
        if is_needed.iter().filter(|needed| **needed).count() == before {
            break;
        }
    }
    items.into_iter().zip(is_needed).filter_map(|(item, needed)| needed.then_some(item)).collect()
}

/// The name that an item defines, where it may be left out: of a function, a structure or a constant.
fn defined(item: &str) -> Option<String> {
    let head = item.lines().next()?;
    let name = if head.starts_with("struct ") {
        head.split(' ').nth(1)?
    } else if head.starts_with("const ") {
        head.split(' ').nth(2)?.split('[').next()?
    } else if head.ends_with('{') && !head.starts_with("layout") {
        head.split('(').next()?.rsplit(' ').next()?
    } else {
        return None;
    };
    (name != "main").then(|| name.to_owned())
}

/// What few materials read of a vertex, by its place in posed.wgsl, and when that is: else it is not handed over.
const SELDOM: [(&str, &str); 2] =
    [("_vs2fs_location14", "HAS_NORMAL_MAP + HAS_ANISOTROPY"), ("_vs2fs_location15", "HEAT")];

fn where_read(item: String) -> String {
    match item.trim_end_matches(";\n").split(' ').collect::<Vec<_>>()[..] {
        ["smooth", _, kind, name] => match SELDOM.iter().find(|(place, _)| *place == name) {
            Some((_, when)) => {
                format!("#if {when}\n{item}#else\n{kind} {name}={kind}(0.0);\n#endif\n")
            }
            None => item,
        },
        _ => item,
    }
}

/// An image of a material, and the function that reads it: only where the image is there.
fn with_map(item: String) -> String {
    for slot in 0..sinew_scene::MATERIAL_TEXTURES {
        let (name, texture) = (maps::name(slot), format!(" T3_{};", maps::binding(slot)));
        if item.starts_with("uniform") && item.contains(&texture) {
            return format!("#ifdef MAP{slot}\n{item}#endif\n");
        }
        let head = format!("vec4 read_{name}(");
        if item.starts_with(&head) {
            return format!(
                "#ifdef MAP{slot}\n{item}#else\n{head}vec4 uv){{return vec4(1.0);}}\n#endif\n"
            );
        }
    }
    item
}
