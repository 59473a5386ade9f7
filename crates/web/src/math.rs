//! Sines, powers and logarithms: the browser's own.
//!
//! In:  numbers in single precision.
//! Out: what `Math` of JavaScript says of them, rounded once.
//!
//! A compiled program calls these by their names in C, and whoever defines them first is called. The standard library
//! would bring its own, with their tables, into every page; a browser has them already, in double precision.
#![allow(unsafe_code)]

mod js {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = Math)]
        pub(super) fn sin(x: f64) -> f64;
        #[wasm_bindgen(js_namespace = Math)]
        pub(super) fn cos(x: f64) -> f64;
        #[wasm_bindgen(js_namespace = Math)]
        pub(super) fn tan(x: f64) -> f64;
        #[wasm_bindgen(js_namespace = Math)]
        pub(super) fn asin(x: f64) -> f64;
        #[wasm_bindgen(js_namespace = Math)]
        pub(super) fn acos(x: f64) -> f64;
        #[wasm_bindgen(js_namespace = Math)]
        pub(super) fn atan(x: f64) -> f64;
        #[wasm_bindgen(js_namespace = Math)]
        pub(super) fn atan2(y: f64, x: f64) -> f64;
        #[wasm_bindgen(js_namespace = Math)]
        pub(super) fn exp(x: f64) -> f64;
        #[wasm_bindgen(js_namespace = Math)]
        pub(super) fn log(x: f64) -> f64;
        #[wasm_bindgen(js_namespace = Math)]
        pub(super) fn log2(x: f64) -> f64;
        #[wasm_bindgen(js_namespace = Math)]
        pub(super) fn log10(x: f64) -> f64;
        #[wasm_bindgen(js_namespace = Math)]
        pub(super) fn pow(x: f64, y: f64) -> f64;
    }
}

/// Functions of one number.
macro_rules! single {
    ($($c:ident $js:ident),*) => {
        $(
            // Safety: the name is the C library's, and so is what the function takes, gives and means.
            #[unsafe(no_mangle)]
            extern "C" fn $c(x: f32) -> f32 {
                js::$js(x.into()) as f32
            }
        )*
    };
}

single!(sinf sin, cosf cos, tanf tan, asinf asin, acosf acos, atanf atan, expf exp, logf log, log2f log2, log10f log10);

// Safety: as above.
#[unsafe(no_mangle)]
extern "C" fn exp2f(x: f32) -> f32 {
    js::pow(2.0, x.into()) as f32
}

// Safety: as above.
#[unsafe(no_mangle)]
extern "C" fn powf(x: f32, y: f32) -> f32 {
    js::pow(x.into(), y.into()) as f32
}

// Safety: as above.
#[unsafe(no_mangle)]
extern "C" fn atan2f(y: f32, x: f32) -> f32 {
    js::atan2(y.into(), x.into()) as f32
}

// Safety: as above; in double precision.
#[unsafe(no_mangle)]
extern "C" fn acos(x: f64) -> f64 {
    js::acos(x)
}
