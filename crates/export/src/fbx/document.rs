//! A file in the making: objects with their numbers, and what is connected to what.
//!
//! In:  objects, one after the other.
//! Out: the bytes: header, settings, definitions, objects, connections, takes, footer.
//!
//! Numbers are given in order from the first on and the time of making is fixed, so that one scene gives one file.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::node::{Node, Value, Writer};
use super::properties::Properties;
use crate::ExportError;

/// 7.4, which every reader of the last ten years takes.
const VERSION: i32 = 7400;
/// The file's number, its time of making and the mark before its end belong together; readers check that they fit.
const FILE_ID: [u8; 16] = [
    0x28, 0xb3, 0x2a, 0xeb, 0xb6, 0x24, 0xcc, 0xc2, 0xbf, 0xc8, 0xb0, 0x2a, 0xa9, 0x2b, 0xfc, 0xf1,
];
const CREATION_TIME: &str = "1970-01-01 10:00:00:000";
const FOOTER_ID: [u8; 16] = [
    0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66, 0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e,
];
const FOOTER_END: [u8; 16] = [
    0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e, 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b,
];
const CREATOR: &str = concat!("Sinew ", env!("CARGO_PKG_VERSION"));
/// Numbers below are left to readers for objects of their own.
const FIRST_ID: i64 = 1_000_000;

/// An object's number in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Id(i64);

impl Id {
    /// The scene itself: what has no other parent is connected to it.
    pub(super) const ROOT: Self = Self(0);
}

impl From<Id> for Value {
    fn from(id: Id) -> Self {
        Self::Long(id.0)
    }
}

/// How long a take plays, in FBX ticks.
pub(super) struct Take {
    pub(super) name: String,
    pub(super) from: i64,
    pub(super) to: i64,
}

/// Everything that goes into the file.
pub(super) struct Document {
    /// Metres in one unit, times 100: centimetres are 1.
    pub(super) unit_scale: f64,
    /// Frames per second, for the time line of programs.
    pub(super) frame_rate: Option<f64>,
    pub(super) takes: Vec<Take>,
    pub(super) notes: Vec<String>,
    objects: Vec<Node>,
    connections: Vec<Node>,
    next: i64,
}

impl Document {
    pub(super) fn new(unit_scale: f64) -> Self {
        Self {
            unit_scale,
            frame_rate: None,
            takes: Vec::new(),
            notes: Vec::new(),
            objects: Vec::new(),
            connections: Vec::new(),
            next: FIRST_ID,
        }
    }

    /// A new object's number, and its record with number, name, class and kind.
    pub(super) fn start(
        &mut self,
        record: &'static str,
        name: &str,
        class: &str,
        kind: &str,
    ) -> (Id, Node) {
        let id = Id(self.next);
        self.next += 1;
        let full = format!("{}\0\u{1}{class}", safe_name(name));
        (id, Node::of(record, id).with(full).with(kind))
    }

    pub(super) fn add(&mut self, object: Node) {
        self.objects.push(object);
    }

    /// Puts one object below another.
    pub(super) fn connect(&mut self, from: Id, to: Id) {
        self.connections.push(Node::of("C", "OO").with(from).with(to));
    }

    /// Lets one object drive a property of another.
    pub(super) fn connect_property(&mut self, from: Id, to: Id, property: &str) {
        self.connections.push(Node::of("C", "OP").with(from).with(to).with(property));
    }

    pub(super) fn write(self, compress: bool) -> Result<(Vec<u8>, Vec<String>), ExportError> {
        let mut writer = Writer { bytes: b"Kaydara FBX Binary  \0\x1a\0".to_vec(), compress };
        writer.bytes.extend_from_slice(&VERSION.to_le_bytes());
        writer.node(&header())?;
        writer.node(&Node::of("FileId", Arc::<[u8]>::from(FILE_ID)))?;
        writer.node(&Node::of("CreationTime", CREATION_TIME))?;
        writer.node(&Node::of("Creator", CREATOR))?;
        writer.node(&self.settings())?;
        writer.node(&self.documents())?;
        writer.node(&Node::new("References"))?;
        writer.node(&self.definitions())?;
        let takes = self.take_list();
        writer.node(&Node { name: "Objects", values: vec![], children: self.objects })?;
        writer.node(&Node { name: "Connections", values: vec![], children: self.connections })?;
        writer.node(&takes)?;
        writer.end_of_list();
        Ok((footer(writer.bytes), self.notes))
    }

    fn settings(&self) -> Node {
        let (from, to) = self.takes.first().map_or((0, 0), |take| (take.from, take.to));
        let (mode, custom) = time_mode(self.frame_rate);
        let properties = Properties::default()
            .int("UpAxis", 1)
            .int("UpAxisSign", 1)
            .int("FrontAxis", 2)
            .int("FrontAxisSign", 1)
            .int("CoordAxis", 0)
            .int("CoordAxisSign", 1)
            .int("OriginalUpAxis", 1)
            .int("OriginalUpAxisSign", 1)
            .number("UnitScaleFactor", self.unit_scale)
            .number("OriginalUnitScaleFactor", self.unit_scale)
            .property("TimeMode", "enum", "", "", [Value::Int(mode)])
            .property("TimeSpanStart", "KTime", "Time", "", [Value::Long(from)])
            .property("TimeSpanStop", "KTime", "Time", "", [Value::Long(to)])
            .number("CustomFrameRate", custom);
        Node::new("GlobalSettings").field("Version", 1000).child(properties.node())
    }

    fn documents(&self) -> Node {
        let active = self.takes.first().map_or("", |take| &take.name);
        let properties = Properties::default()
            .property("SourceObject", "object", "", "", [])
            .property("ActiveAnimStackName", "KString", "", "", [Value::from(active)]);
        let document = Node::of("Document", Id(FIRST_ID - 1))
            .with("")
            .with("Scene")
            .child(properties.node())
            .field("RootNode", Id::ROOT);
        Node::new("Documents").field("Count", 1).child(document)
    }

    fn definitions(&self) -> Node {
        let mut counts: BTreeMap<&str, i32> = BTreeMap::new();
        for object in &self.objects {
            *counts.entry(object.name).or_default() += 1;
        }
        let total = 1 + counts.values().sum::<i32>();
        let kind = |name: &str, count: i32| Node::of("ObjectType", name).field("Count", count);
        let mut node = Node::new("Definitions").field("Version", 100).field("Count", total);
        node = node.child(kind("GlobalSettings", 1));
        for (name, count) in counts {
            node = node.child(kind(name, count));
        }
        node
    }

    fn take_list(&self) -> Node {
        let current = self.takes.first().map_or("", |take| &take.name);
        let mut node = Node::new("Takes").field("Current", current);
        for take in &self.takes {
            let time = |name| Node::of(name, take.from).with(take.to);
            node = node.child(
                Node::of("Take", take.name.as_str())
                    .field("FileName", format!("{}.tak", take.name))
                    .child(time("LocalTime"))
                    .child(time("ReferenceTime")),
            );
        }
        node
    }
}

fn header() -> Node {
    let mut stamp = Node::new("CreationTimeStamp").field("Version", 1000);
    for (name, value) in [("Year", 1970), ("Month", 1), ("Day", 1), ("Hour", 10)] {
        stamp = stamp.field(name, value);
    }
    for name in ["Minute", "Second", "Millisecond"] {
        stamp = stamp.field(name, 0);
    }
    let mut about = Node::new("MetaData").field("Version", 100);
    for name in ["Title", "Subject", "Author", "Keywords", "Revision", "Comment"] {
        about = about.field(name, "");
    }
    let info = Node::of("SceneInfo", "GlobalInfo\0\u{1}SceneInfo")
        .with("UserData")
        .field("Type", "UserData")
        .field("Version", 100)
        .child(about);
    Node::new("FBXHeaderExtension")
        .field("FBXHeaderVersion", 1003)
        .field("FBXVersion", VERSION)
        .field("EncryptionType", 0)
        .child(stamp)
        .field("Creator", CREATOR)
        .child(info)
}

fn footer(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend_from_slice(&FOOTER_ID);
    bytes.extend_from_slice(&[0; 4]);
    // To a multiple of sixteen, and by sixteen where it is one already.
    let padding = 16 - bytes.len() % 16;
    bytes.extend(std::iter::repeat_n(0, padding));
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&[0; 120]);
    bytes.extend_from_slice(&FOOTER_END);
    bytes
}

/// The format's number for a frame rate, and the rate itself where it has none.
fn time_mode(rate: Option<f64>) -> (i32, f64) {
    let known = [(120, 1), (100, 2), (60, 3), (50, 4), (48, 5), (30, 6), (25, 10), (24, 11)];
    let Some(rate) = rate else { return (6, -1.0) };
    let mode = known.into_iter().find(|&(known, _)| f64::from(known) == rate);
    mode.map_or((14, rate), |(_, mode)| (mode, -1.0))
}

/// A name without control characters, of which two end a name in this format.
pub(super) fn safe_name(name: &str) -> String {
    name.chars().map(|sign| if sign.is_control() { '_' } else { sign }).collect()
}
