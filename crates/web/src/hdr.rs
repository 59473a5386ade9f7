//! Images of light, which browsers do not decode: Radiance (`.hdr`) and OpenEXR (`.exr`).

use wasm_bindgen::prelude::*;

use crate::js;

/// Decodes one: `{width, height, rgb}`, linear, rows from the top.
///
/// # Errors
/// When it is none, or is broken.
#[wasm_bindgen(js_name = decodeHdr)]
pub fn decode_hdr(bytes: &[u8]) -> Result<JsValue, JsError> {
    let image = sinew::import::hdr::decode(bytes)
        .map_err(|error| JsError::new(&format!("byte {}: {}", error.offset, error.message)))?;
    Ok(js::object([
        ("width", image.width.into()),
        ("height", image.height.into()),
        ("rgb", js_sys::Float32Array::from(&image.rgb[..]).into()),
    ]))
}
