//! Translates the shaders for WebGL2 when the feature `webgl-small` asks for it; else there is nothing to build.

#[cfg(feature = "webgl-small")]
#[path = "build/glsl.rs"]
mod glsl;
#[cfg(feature = "webgl-small")]
#[path = "build/parts.rs"]
mod parts;

// The same files that the library has.
#[cfg(feature = "webgl-small")]
#[allow(dead_code)]
#[path = "src/maps.rs"]
mod maps;
#[cfg(feature = "webgl-small")]
#[allow(dead_code)]
#[path = "src/shaders.rs"]
mod shaders;
#[cfg(feature = "webgl-small")]
#[path = "src/wgsl.rs"]
mod wgsl;

/// For `shaders.rs`, which the library has too.
#[cfg(feature = "webgl-small")]
const IS_BUILD_SCRIPT: bool = true;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(own_webgl)");
    #[cfg(feature = "webgl-small")]
    {
        // The shaders lie all over `src`.
        println!("cargo::rerun-if-changed=src");
        println!("cargo::rerun-if-changed=build");
        let is_web = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32");
        if is_web {
            println!("cargo::rustc-cfg=own_webgl");
            glsl::write();
        }
    }
    #[cfg(not(feature = "webgl-small"))]
    println!("cargo::rerun-if-changed=build.rs");
}
