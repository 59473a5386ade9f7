//! The typed properties of an object: name, type, label, flags, values.

use super::node::{Node, Value};

/// The list of an object's typed properties.
#[derive(Default)]
pub(super) struct Properties(Vec<Node>);

impl Properties {
    /// A property with its type, label, flags (`A` can be animated) and values.
    pub(super) fn property(
        mut self,
        name: &str,
        kind: &str,
        label: &str,
        flags: &str,
        values: impl IntoIterator<Item = Value>,
    ) -> Self {
        let mut node = Node::of("P", name).with(kind).with(label).with(flags);
        node.values.extend(values);
        self.0.push(node);
        self
    }

    pub(super) fn int(self, name: &str, value: i32) -> Self {
        self.property(name, "int", "Integer", "", [Value::Int(value)])
    }

    pub(super) fn bool(self, name: &str, value: bool) -> Self {
        self.property(name, "bool", "", "", [Value::Int(i32::from(value))])
    }

    pub(super) fn number(self, name: &str, value: f64) -> Self {
        self.property(name, "double", "Number", "", [Value::Double(value)])
    }

    /// Numbers whose type has the property's own name, such as `Lcl Translation`.
    pub(super) fn own(self, name: &str, values: &[f64]) -> Self {
        self.property(name, name, "", "A", values.iter().copied().map(Value::Double))
    }

    /// A number that can be animated.
    pub(super) fn animatable(self, name: &str, value: f64) -> Self {
        self.property(name, "Number", "", "A", [Value::Double(value)])
    }

    pub(super) fn color(self, name: &str, color: [f64; 3]) -> Self {
        self.property(name, "Color", "", "A", color.map(Value::Double))
    }

    pub(super) fn vector(self, name: &str, vector: [f64; 3]) -> Self {
        self.property(name, "Vector3D", "Vector", "", vector.map(Value::Double))
    }

    pub(super) fn choice(self, name: &str, value: i32) -> Self {
        self.property(name, "enum", "", "", [Value::Int(value)])
    }

    pub(super) fn text(self, name: &str, value: &str) -> Self {
        self.property(name, "KString", "", "", [Value::from(value)])
    }

    pub(super) fn time(self, name: &str, ticks: i64) -> Self {
        self.property(name, "KTime", "Time", "", [Value::Long(ticks)])
    }

    pub(super) fn node(self) -> Node {
        Node { name: "Properties70", values: Vec::new(), children: self.0 }
    }
}
