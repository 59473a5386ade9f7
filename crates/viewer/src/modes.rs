//! What is shown, and in what light: what a person switches on the top bar, remembered between runs.

use serde::{Deserialize, Serialize};
use sinew::render::Tone;
use sinew::stage::Theme;

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Modes {
    pub(crate) surfaces: bool,
    pub(crate) skeleton: bool,
    pub(crate) axes: bool,
    pub(crate) names: bool,
    /// The path of a joint over the floor.
    pub(crate) path: bool,
    pub(crate) heat: bool,
    pub(crate) wireframe: bool,
    pub(crate) normals: bool,
    pub(crate) bounds: bool,
    pub(crate) grid: bool,
    pub(crate) shadows: bool,
    pub(crate) sky: bool,
    pub(crate) fog: bool,
    /// Parts hide the light of the surroundings from each other.
    pub(crate) occlusion: bool,
    /// The camera goes along with the model.
    pub(crate) follow: bool,
    /// The lights of the file instead of the viewer's sun.
    pub(crate) lights: bool,
}

impl Default for Modes {
    fn default() -> Self {
        Self {
            surfaces: true,
            skeleton: false,
            axes: false,
            names: false,
            path: false,
            heat: false,
            wireframe: false,
            normals: false,
            bounds: false,
            grid: true,
            shadows: true,
            sky: false,
            fog: false,
            occlusion: true,
            follow: false,
            lights: false,
        }
    }
}

/// One switch of [`Modes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    Surfaces,
    Skeleton,
    Axes,
    Names,
    Path,
    Heat,
    Wireframe,
    Normals,
    Bounds,
    Grid,
    Shadows,
    Sky,
    Fog,
    Occlusion,
    Follow,
    Lights,
}

impl Switch {
    /// In their order on the top bar.
    pub(crate) const ALL: [Self; 16] = [
        Self::Surfaces,
        Self::Skeleton,
        Self::Axes,
        Self::Names,
        Self::Path,
        Self::Heat,
        Self::Wireframe,
        Self::Normals,
        Self::Bounds,
        Self::Grid,
        Self::Shadows,
        Self::Sky,
        Self::Fog,
        Self::Occlusion,
        Self::Follow,
        Self::Lights,
    ];

    /// The label of the button.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Surfaces => "Surface",
            Self::Skeleton => "Skeleton",
            Self::Axes => "Axes",
            Self::Names => "Names",
            Self::Path => "Path",
            Self::Heat => "Heat-map",
            Self::Wireframe => "Wireframe",
            Self::Normals => "Normals",
            Self::Bounds => "Bounds",
            Self::Grid => "Grid",
            Self::Shadows => "Shadows",
            Self::Sky => "Sky",
            Self::Fog => "Fog",
            Self::Occlusion => "Occlusion",
            Self::Follow => "Follow",
            Self::Lights => "Lights",
        }
    }

    /// One sentence.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Surfaces => "draw the surfaces",
            Self::Skeleton => "draw the bones over the surfaces",
            Self::Axes => "draw the axes of each joint",
            Self::Names => "write the names of joints",
            Self::Path => "draw the path of the root, or of the selected joint, over the floor",
            Self::Heat => "show how strongly the selected joint influences",
            Self::Wireframe => "draw the edges of triangles",
            Self::Normals => "draw the normals of vertices",
            Self::Bounds => "draw a box around each mesh",
            Self::Grid => "draw a grid on the floor",
            Self::Shadows => "cast shadows",
            Self::Sky => "show the sky behind everything",
            Self::Fog => "hide the distance in fog",
            Self::Occlusion => "darken what parts hide from the light around",
            Self::Follow => "have the camera go along with the model",
            Self::Lights => "use the lights of the file",
        }
    }

    /// The last of its group on the top bar.
    pub(crate) fn ends_group(self) -> bool {
        matches!(self, Self::Path | Self::Bounds)
    }
}

impl Modes {
    /// The value behind a switch.
    pub(crate) fn at(&mut self, switch: Switch) -> &mut bool {
        match switch {
            Switch::Surfaces => &mut self.surfaces,
            Switch::Skeleton => &mut self.skeleton,
            Switch::Axes => &mut self.axes,
            Switch::Names => &mut self.names,
            Switch::Path => &mut self.path,
            Switch::Heat => &mut self.heat,
            Switch::Wireframe => &mut self.wireframe,
            Switch::Normals => &mut self.normals,
            Switch::Bounds => &mut self.bounds,
            Switch::Grid => &mut self.grid,
            Switch::Shadows => &mut self.shadows,
            Switch::Sky => &mut self.sky,
            Switch::Fog => &mut self.fog,
            Switch::Occlusion => &mut self.occlusion,
            Switch::Follow => &mut self.follow,
            Switch::Lights => &mut self.lights,
        }
    }
}

/// Which panels are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Panels {
    pub(crate) tree: bool,
    pub(crate) inspector: bool,
    pub(crate) timeline: bool,
    /// All of them folded away, whatever else is said.
    pub(crate) hidden: bool,
}

impl Default for Panels {
    fn default() -> Self {
        Self { tree: true, inspector: true, timeline: true, hidden: false }
    }
}

/// What is around models that have no place of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Studio {
    /// The model is the brightest thing on the screen.
    #[default]
    Dark,
    Light,
    /// A sun and a sky that are set by hand, in front of one colour.
    Sun,
}

impl Studio {
    pub(crate) const ALL: [Self; 3] = [Self::Dark, Self::Light, Self::Sun];

    /// The library's word for it.
    pub(crate) fn theme(self) -> Option<Theme> {
        match self {
            Self::Dark => Some(Theme::Dark),
            Self::Light => Some(Theme::Light),
            Self::Sun => None,
        }
    }

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Dark => "Dark studio",
            Self::Light => "Light studio",
            Self::Sun => "Sun and sky",
        }
    }
}

/// How light becomes what a screen can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ToneCurve {
    #[default]
    Neutral,
    Aces,
    Agx,
    None,
}

impl ToneCurve {
    pub(crate) const ALL: [Self; 4] = [Self::Neutral, Self::Aces, Self::Agx, Self::None];

    /// The renderer's word for it.
    pub(crate) fn tone(self) -> Tone {
        match self {
            Self::Neutral => Tone::Neutral,
            Self::Aces => Tone::Aces,
            Self::Agx => Tone::Agx,
            Self::None => Tone::None,
        }
    }

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Neutral => "Neutral",
            Self::Aces => "ACES",
            Self::Agx => "AgX",
            Self::None => "None",
        }
    }
}

/// Light and air.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Look {
    pub(crate) studio: Studio,
    /// sRGB, behind everything where there is no sky.
    pub(crate) background: [u8; 3],
    /// Times all light.
    pub(crate) exposure: f32,
    pub(crate) tone: ToneCurve,
    /// Degrees about Y from the front; positive towards the model's left.
    pub(crate) sun_yaw: f32,
    /// Degrees above the horizon.
    pub(crate) sun_height: f32,
    /// In lux; π lights a white wall fully.
    pub(crate) sun_strength: f32,
    /// How much of the sky's light is used.
    pub(crate) sky_strength: f32,
    /// Of the model's size, where fog hides two thirds.
    pub(crate) fog_distance: f32,
}

impl Look {
    /// Whether all of its numbers are; those that were read need not be.
    pub(crate) fn is_finite(&self) -> bool {
        let sun = [self.sun_yaw, self.sun_height, self.sun_strength];
        let others = [self.exposure, self.sky_strength, self.fog_distance];
        sun.iter().chain(&others).all(|number| number.is_finite())
    }
}

impl Default for Look {
    fn default() -> Self {
        Self {
            studio: Studio::Dark,
            background: [0x25, 0x28, 0x2d],
            exposure: 1.0,
            tone: ToneCurve::Neutral,
            sun_yaw: -42.0,
            sun_height: 51.0,
            sun_strength: 2.7,
            sky_strength: 1.0,
            fog_distance: 12.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_has_a_value_of_its_own() {
        for switch in Switch::ALL {
            let mut modes = Modes::default();
            *modes.at(switch) ^= true;
            let changed = Switch::ALL
                .into_iter()
                .filter(|other| *modes.at(*other) != *Modes::default().at(*other));
            assert_eq!(changed.collect::<Vec<_>>(), [switch]);
        }
    }
}
