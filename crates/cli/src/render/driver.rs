//! Keeps a layer of Mesa's Vulkan drivers quiet where there is no display.
//!
//! The layer asks a display which graphics card it uses, finds none, and has a library say so on standard error.
//! Only the environment turns it off, and only before the program starts; so the program starts again.

/// Starts the program again without that layer, where it would be in vain.
#[cfg(target_os = "linux")]
pub(crate) fn hush() {
    use std::os::unix::process::CommandExt;

    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let shown = ["DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"].into_iter().any(set);
    if shown || set("NODEVICE_SELECT") {
        return;
    }
    if let Ok(program) = std::env::current_exe() {
        let arguments = std::env::args_os().skip(1);
        // It comes back only when it failed; then there is some noise, and nothing is lost.
        let _ =
            std::process::Command::new(program).args(arguments).env("NODEVICE_SELECT", "1").exec();
    }
}

/// Nothing to do.
#[cfg(not(target_os = "linux"))]
pub(crate) fn hush() {}
