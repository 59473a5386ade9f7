//! What a scene file says of lights, fog, floor and view, in the renderer's words; with what is usual where it is silent.

use glam::Vec3;
use sinew_render::{Fog, Light, View};

use super::file;
use super::place::vector;

pub(super) fn view_of(view: Option<file::View>) -> View {
    match view {
        None | Some(file::View::ThreeQuarter) => View::ThreeQuarter,
        Some(file::View::Front) => View::Front,
        Some(file::View::Side) => View::Side,
        Some(file::View::Back) => View::Back,
        Some(file::View::Top) => View::Top,
    }
}

pub(super) fn light(light: &file::Light) -> Light {
    let color = light.color.map_or(Vec3::ONE, |color| color.0);
    let direction = light.direction.map_or(Vec3::new(0.4, -0.8, -0.5), vector);
    let position = light.position.map_or(Vec3::new(0.0, 3.0, 0.0), vector);
    let strength = |usual: f32| light.intensity.map_or(usual, |intensity| intensity.0);
    let made = match light.kind {
        file::LightKind::Directional => Light::directional(direction, color, strength(3.0)),
        file::LightKind::Point => Light::point(position, color, strength(10.0)),
        file::LightKind::Spot => {
            let outer = light.outer.map_or(30.0, |angle| angle.0).min(89.0);
            let inner = light.inner.map_or(outer * 0.7, |angle| angle.0).min(outer);
            let angles = [inner.to_radians(), outer.to_radians()];
            Light { color, ..Light::spot(position, direction, angles, strength(20.0)) }
        }
    };
    Light { range: light.range.map(|range| range.0), ..made }
}

pub(super) fn fog(fog: &file::Fog) -> Fog {
    let color = fog.color.map_or(Vec3::new(0.6, 0.66, 0.74), |color| color.0);
    let density = fog.density.map_or(0.02, |density| density.0);
    match fog.kind {
        file::FogKind::Linear => {
            let start = fog.start.map_or(10.0, |start| start.0);
            let end = fog.end.map_or(100.0, |end| end.0).max(start + 1e-3);
            Fog::Linear { color, start, end }
        }
        file::FogKind::Exponential => Fog::Exponential { color, density },
        file::FogKind::ExponentialSquared => Fog::ExponentialSquared { color, density },
    }
}

pub(super) fn floor(floor: Option<&file::Floor>) -> sinew_render::Floor {
    let none = sinew_render::Floor::NONE;
    floor.map_or(none, |floor| sinew_render::Floor {
        grid: floor.grid,
        shadow: floor.shadow,
        height: floor.height.map_or(0.0, |height| height.0),
        cell: floor.cell.map_or(none.cell, |cell| cell.0),
        ..none
    })
}
