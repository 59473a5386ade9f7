//! The statements of an `.obj`, line by line.
//!
//! In:  the text. Out: lists as filed, and elements (faces, lines, points) with the object,
//! material and smoothing group that held where they are.

use std::collections::HashMap;

use glam::{Vec2, Vec3};

use super::corner::Corner;
use crate::files::shorten;
use crate::note::counted;
use crate::open::Context;
use crate::text::{Text, name};
use crate::{ImportError, Place};

/// What kind of thing corners make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Face,
    Line,
    Point,
}

/// Which faces share normals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Smoothing {
    /// The file has not said yet.
    Unknown,
    /// Each face for itself.
    Off,
    /// With all faces of the same number.
    Group(u32),
}

/// A face, a line or a few points.
pub(super) struct Element {
    pub(super) kind: Kind,
    /// Where its corners begin and end.
    pub(super) corners: std::ops::Range<usize>,
    pub(super) part: usize,
    pub(super) material: Option<usize>,
    pub(super) smoothing: Smoothing,
    /// Where in the file, to name the line when it is wrong.
    pub(super) at: usize,
}

/// Everything an `.obj` says.
#[derive(Default)]
pub(super) struct Model {
    pub(super) positions: Vec<Vec3>,
    /// Empty, or one for each position.
    pub(super) colors: Vec<Vec3>,
    pub(super) uvs: Vec<Vec2>,
    pub(super) normals: Vec<Vec3>,
    pub(super) corners: Vec<Corner>,
    pub(super) elements: Vec<Element>,
    /// Names of objects and groups, in the order they come.
    pub(super) parts: Vec<String>,
    /// Names of materials, in the order they are used.
    pub(super) materials: Vec<String>,
    /// Each `mtllib` line.
    pub(super) libraries: Vec<String>,
}

/// What holds from here on, and what is reported in the end.
struct State {
    model: Model,
    object: String,
    group: String,
    part_of: HashMap<(String, String), usize>,
    material_of: HashMap<String, usize>,
    part: Option<usize>,
    material: Option<usize>,
    smoothing: Smoothing,
    unusable: usize,
    unknown: usize,
    first_unknown: Option<(Place, String)>,
    /// Corners that name no vertex.
    lost_corners: usize,
    first_lost_corner: Option<Place>,
}

pub(super) fn read(bytes: &[u8], context: &mut Context<'_>) -> Result<Model, ImportError> {
    let mut text = Text::new(bytes);
    let mut state = State {
        model: Model::default(),
        object: String::new(),
        group: String::new(),
        part_of: HashMap::new(),
        material_of: HashMap::new(),
        part: None,
        material: None,
        smoothing: Smoothing::Unknown,
        unusable: 0,
        unknown: 0,
        first_unknown: None,
        lost_corners: 0,
        first_lost_corner: None,
    };
    let mut joined = Vec::new();
    loop {
        text.skip_space();
        if text.peek().is_none() {
            break;
        }
        let start = text.clone();
        let at = bytes.len() - text.rest().len();
        let line = whole_line(&mut text, &mut joined);
        state.statement(&mut Text::new(line), at, &start)?;
    }
    state.report(context);
    Ok(state.model)
}

/// The next line, with those that a backslash at its end joins to it.
fn whole_line<'b, 't: 'b>(text: &mut Text<'t>, joined: &'b mut Vec<u8>) -> &'b [u8] {
    let line = text.line();
    if line.last() != Some(&b'\\') {
        return line;
    }
    joined.clear();
    let mut next = line;
    while let Some((b'\\', front)) = next.split_last() {
        joined.extend(front);
        joined.push(b' ');
        text.skip_line_end();
        next = text.line();
    }
    joined.extend(next);
    joined
}

impl State {
    fn statement(
        &mut self,
        line: &mut Text<'_>,
        at: usize,
        start: &Text<'_>,
    ) -> Result<(), ImportError> {
        let word = line.word().unwrap_or_default();
        match word {
            b"v" => self.position(line, start)?,
            b"vt" => {
                let [u, v, _] = self.numbers(line, 1, start)?;
                self.model.uvs.push(Vec2::new(u, 1.0 - v));
            }
            b"vn" => {
                let normal = self.numbers(line, 3, start)?;
                self.model.normals.push(Vec3::from(normal));
            }
            b"f" | b"fo" => self.element(Kind::Face, line, at, start)?,
            b"l" => self.element(Kind::Line, line, at, start)?,
            b"p" => self.element(Kind::Point, line, at, start)?,
            b"o" => {
                self.object = name(line.line());
                self.group.clear();
                self.part = None;
            }
            b"g" => {
                self.group = name(line.line());
                self.part = None;
            }
            b"s" => self.smoothing = smoothing(line),
            b"usemtl" => self.use_material(name(line.line())),
            b"mtllib" => self.model.libraries.push(name(line.line())),
            [] | [b'#', ..] => {}
            _ => self.pass(word, start),
        }
        Ok(())
    }

    fn pass(&mut self, word: &[u8], start: &Text<'_>) {
        self.unknown += 1;
        self.first_unknown.get_or_insert_with(|| (start.place(), shorten(&name(word))));
    }

    /// `x y z`, and perhaps `w`, and perhaps a colour.
    fn position(&mut self, line: &mut Text<'_>, start: &Text<'_>) -> Result<(), ImportError> {
        let [x, y, z] = self.numbers(line, 3, start)?;
        let mut more = [0.0; 4];
        let mut count = 0;
        while count < 4
            && let Some(number) = line.number()
        {
            more[count] = self.usable(number);
            count += 1;
        }
        let color = match count {
            3 => Some([more[0], more[1], more[2]]),
            4 => Some([more[1], more[2], more[3]]),
            _ => None,
        };
        let model = &mut self.model;
        if let Some(color) = color {
            model.colors.resize(model.positions.len(), Vec3::ONE);
            model.colors.push(Vec3::from(color));
        } else if !model.colors.is_empty() {
            model.colors.push(Vec3::ONE);
        }
        model.positions.push(Vec3::new(x, y, z));
        Ok(())
    }

    /// Up to three numbers, at least `least`; the rest is zero.
    fn numbers(
        &mut self,
        line: &mut Text<'_>,
        least: usize,
        start: &Text<'_>,
    ) -> Result<[f32; 3], ImportError> {
        let mut numbers = [0.0; 3];
        for (at, value) in numbers.iter_mut().enumerate() {
            match line.number() {
                Some(number) => *value = self.usable(number),
                None if at >= least => break,
                None => {
                    let found = line.word().map_or("the end of the line".to_owned(), |word| {
                        format!("\"{}\"", shorten(&name(word)))
                    });
                    let text = format!("expected {least} numbers, found {at} and {found}");
                    return Err(ImportError::malformed(start.place(), text));
                }
            }
        }
        Ok(numbers)
    }

    fn usable(&mut self, number: f32) -> f32 {
        if number.is_finite() {
            return number;
        }
        self.unusable += 1;
        0.0
    }

    fn element(
        &mut self,
        kind: Kind,
        line: &mut Text<'_>,
        at: usize,
        start: &Text<'_>,
    ) -> Result<(), ImportError> {
        let model = &mut self.model;
        let counts = [model.positions.len(), model.uvs.len(), model.normals.len()];
        let from = model.corners.len();
        while let Some(corner) = Corner::read(line, counts) {
            if corner.position >= 0 {
                model.corners.push(corner);
            } else {
                self.lost_corners += 1;
                self.first_lost_corner.get_or_insert_with(|| start.place());
            }
        }
        if let Some(word) = line.word()
            && word[0] != b'#'
        {
            let found = shorten(&name(word));
            let text = format!("expected corners of the form 1/2/3, found \"{found}\"");
            return Err(ImportError::malformed(start.place(), text));
        }
        let corners = from..model.corners.len();
        let part = self.part();
        let (material, smoothing) = (self.material, self.smoothing);
        let element = Element { kind, corners, part, material, smoothing, at };
        self.model.elements.push(element);
        Ok(())
    }

    /// The mesh that elements go to: one for each object and group.
    fn part(&mut self) -> usize {
        if let Some(part) = self.part {
            return part;
        }
        let names = (self.object.clone(), self.group.clone());
        let next = self.model.parts.len();
        let part = *self.part_of.entry(names).or_insert(next);
        if part == next {
            let words = [self.object.as_str(), self.group.as_str()];
            let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
            self.model.parts.push(words.join(" "));
        }
        self.part = Some(part);
        part
    }

    fn use_material(&mut self, name: String) {
        let next = self.model.materials.len();
        let material = *self.material_of.entry(name.clone()).or_insert(next);
        if material == next {
            self.model.materials.push(name);
        }
        self.material = Some(material);
    }

    fn report(&self, context: &mut Context<'_>) {
        if self.unusable > 0 {
            let numbers = counted(self.unusable, "number is", "numbers are");
            let note = format!("{numbers} not finite: taken as zero");
            context.notes.add(Place::Whole, note);
        }
        if let Some(place) = &self.first_lost_corner {
            let corners = counted(self.lost_corners, "corner has", "corners have");
            context.notes.add(place.clone(), format!("{corners} no vertex: left out"));
        }
        if let Some((place, word)) = &self.first_unknown {
            let count = self.unknown;
            let statements = counted(count, "statement is", "statements are");
            let note = format!("{statements} left out, such as \"{word}\"");
            context.notes.add(place.clone(), note);
        }
    }
}

fn smoothing(line: &mut Text<'_>) -> Smoothing {
    match line.integer() {
        Some(0) => Smoothing::Off,
        Some(group) => u32::try_from(group).map_or(Smoothing::Off, Smoothing::Group),
        None if line.line().eq_ignore_ascii_case(b"on") => Smoothing::Group(1),
        None => Smoothing::Off,
    }
}
