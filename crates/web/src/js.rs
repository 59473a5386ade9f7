//! Plain JavaScript values from Rust's.

use js_sys::{Array, Object, Reflect};
use sinew::glam::{Affine3A, Vec3};
use wasm_bindgen::JsValue;

/// An object with these fields.
pub(crate) fn object<const N: usize>(fields: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a field of a fresh object cannot fail.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}

/// An array of these values.
pub(crate) fn array(values: impl IntoIterator<Item = JsValue>) -> JsValue {
    values.into_iter().collect::<Array>().into()
}

/// Sixteen numbers, column by column, as WebGL and CSS take them.
pub(crate) fn matrix(matrix: Affine3A) -> JsValue {
    let columns = sinew::glam::Mat4::from(matrix).to_cols_array();
    js_sys::Float32Array::from(&columns[..]).into()
}

/// Three numbers of a JavaScript array; missing ones are zero.
pub(crate) fn vector(numbers: &[f32]) -> Vec3 {
    let at = |index: usize| numbers.get(index).copied().unwrap_or(0.0);
    Vec3::new(at(0), at(1), at(2))
}
