//! What the glTF Validator's codes on skins, nodes, animations and meshes are here.
//!
//! In:  a code such as `SKIN_NO_COMMON_ROOT`. Out: the rule that finds the same, or that reading refuses or repairs it.

use crate::Rule;

/// What becomes of a fault that the glTF Validator has a code for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Counterpart {
    /// This rule finds it.
    Rule(&'static Rule),
    /// The file is refused, with a message that says where.
    Refused,
    /// It is mended while reading, and a note says so where anything is lost by it.
    Mended,
    /// It changes nothing about how the model looks or moves, and is not looked for.
    Harmless,
}

#[derive(Clone, Copy)]
enum Is {
    Rule(&'static str),
    Refused,
    Mended,
    Harmless,
}

/// The validator's codes that there is a counterpart for.
pub const VALIDATOR_CODES: &[&str] = &{
    let mut names = [""; TABLE.len()];
    let mut at = 0;
    while at < TABLE.len() {
        names[at] = TABLE[at].0;
        at += 1;
    }
    names
};

const TABLE: &[(&str, Is)] = &[
    ("ACCESSOR_ANIMATION_INPUT_NEGATIVE", Is::Rule("key-order")),
    ("ACCESSOR_ANIMATION_INPUT_NON_INCREASING", Is::Rule("key-order")),
    ("ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION", Is::Rule("quat-unit")),
    ("ACCESSOR_INDEX_OOB", Is::Refused),
    ("ACCESSOR_INDEX_TRIANGLE_DEGENERATE", Is::Harmless),
    ("ACCESSOR_INVALID_FLOAT", Is::Rule("nan")),
    ("ACCESSOR_INVALID_IBM", Is::Rule("binds")),
    ("ACCESSOR_INVALID_SIGN", Is::Mended),
    ("ACCESSOR_JOINTS_INDEX_DUPLICATE", Is::Mended),
    ("ACCESSOR_JOINTS_INDEX_OOB", Is::Rule("joint-index")),
    ("ACCESSOR_JOINTS_USED_ZERO_WEIGHT", Is::Harmless),
    ("ACCESSOR_VECTOR3_NON_UNIT", Is::Mended),
    ("ACCESSOR_WEIGHTS_NEGATIVE", Is::Mended),
    ("ACCESSOR_WEIGHTS_NON_NORMALIZED", Is::Rule("weight-sum")),
    ("ANIMATION_CHANNEL_TARGET_NODE_MATRIX", Is::Mended),
    ("ANIMATION_CHANNEL_TARGET_NODE_SKIN", Is::Rule("skin-node")),
    ("ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS", Is::Rule("morphs")),
    ("ANIMATION_DUPLICATE_TARGETS", Is::Rule("two-tracks")),
    ("ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE", Is::Harmless),
    ("ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT", Is::Mended),
    ("ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS", Is::Harmless),
    ("ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS", Is::Harmless),
    ("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT", Is::Rule("key-order")),
    ("ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT", Is::Refused),
    ("MATERIAL_ALPHA_CUTOFF_INVALID_MODE", Is::Rule("alpha")),
    ("MESH_INVALID_WEIGHTS_COUNT", Is::Rule("morphs")),
    ("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", Is::Mended),
    ("MESH_PRIMITIVE_GENERATED_TANGENT_SPACE", Is::Rule("tangents")),
    ("MESH_PRIMITIVE_INCOMPATIBLE_MODE", Is::Mended),
    ("MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY", Is::Mended),
    ("MESH_PRIMITIVE_INVALID_ATTRIBUTE", Is::Harmless),
    ("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", Is::Rule("joint-index")),
    ("MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT", Is::Refused),
    ("MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR", Is::Harmless),
    ("MESH_PRIMITIVE_NO_POSITION", Is::Mended),
    ("MESH_PRIMITIVE_NO_TANGENT_SPACE", Is::Rule("tangents")),
    ("MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL", Is::Mended),
    ("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", Is::Mended),
    ("MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT", Is::Refused),
    ("NODE_EMPTY", Is::Rule("joint-unused")),
    ("NODE_LOOP", Is::Refused),
    ("NODE_MATRIX_DEFAULT", Is::Harmless),
    ("NODE_MATRIX_NON_TRS", Is::Rule("shear")),
    ("NODE_MATRIX_TRS", Is::Rule("two-parents")),
    ("NODE_PARENT_OVERRIDE", Is::Rule("two-parents")),
    ("NODE_SKINNED_MESH_LOCAL_TRANSFORMS", Is::Rule("skin-node")),
    ("NODE_SKINNED_MESH_NON_ROOT", Is::Rule("skin-node")),
    ("NODE_SKINNED_MESH_WITHOUT_SKIN", Is::Mended),
    ("NODE_SKIN_NO_SCENE", Is::Rule("joint-scene")),
    ("NODE_SKIN_WITH_NON_SKINNED_MESH", Is::Rule("weight-none")),
    ("NODE_WEIGHTS_INVALID", Is::Rule("morphs")),
    ("NON_RELATIVE_URI", Is::Rule("textures")),
    ("ROTATION_NON_UNIT", Is::Rule("quat-unit")),
    ("SCENE_NON_ROOT_NODE", Is::Harmless),
    ("SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE", Is::Harmless),
    ("SKIN_IBM_INVALID_FORMAT", Is::Refused),
    ("SKIN_NO_COMMON_ROOT", Is::Rule("joint-scene")),
    ("SKIN_SKELETON_INVALID", Is::Harmless),
    ("UNRESOLVED_REFERENCE", Is::Refused),
    ("UNSUPPORTED_EXTENSION", Is::Rule("required")),
];

/// What becomes of the validator's code here; `None` for codes on other things than skins, nodes, animations, meshes
/// and their materials.
///
/// ```
/// use sinew_check::{Counterpart, Rule, counterpart};
/// let rule = Rule::named("two-tracks").unwrap();
/// assert_eq!(counterpart("ANIMATION_DUPLICATE_TARGETS"), Some(Counterpart::Rule(rule)));
/// assert_eq!(counterpart("NODE_LOOP"), Some(Counterpart::Refused));
/// ```
#[must_use]
pub fn counterpart(code: &str) -> Option<Counterpart> {
    let (_, is) = TABLE.iter().find(|(known, _)| *known == code)?;
    Some(match is {
        Is::Rule(rule) => Counterpart::Rule(Rule::named(rule)?),
        Is::Refused => Counterpart::Refused,
        Is::Mended => Counterpart::Mended,
        Is::Harmless => Counterpart::Harmless,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_counterpart_and_every_synonym_of_a_rule_agrees_with_it() {
        assert!(VALIDATOR_CODES.is_sorted(), "the table is in order");
        for code in VALIDATOR_CODES {
            assert!(counterpart(code).is_some(), "{code}");
        }
        for rule in Rule::all() {
            for code in rule.validator.iter().filter(|code| VALIDATOR_CODES.contains(code)) {
                assert_eq!(counterpart(code), Some(Counterpart::Rule(rule)), "{code}");
            }
        }
    }
}
