//! What is around the models: light, sky, fog and floor.

use sinew::Bounds;
use sinew::glam::{Affine3A, Vec3};
use sinew::render::{Background, Environment, Floor, Fog, Light, Occlusion, Shadows, Sky, View};
use sinew::stage::Surroundings;

use super::Stage;
use crate::modes::Look;
use crate::state::State;

impl Stage {
    pub(super) fn surround(&mut self, state: &State) {
        let modes = &state.modes;
        let look = &state.look;
        let bounds = state.bounds();
        let size = if bounds.is_empty() { 2.0 } else { bounds.size().length().max(1e-3) };
        let place = self.place.as_ref().filter(|_| state.show_place);
        let studio = studio(state).filter(|_| place.is_none());
        let set = state.set.as_ref().map(|set| &set.around);
        let strength = set.or(studio.as_ref()).map_or(0.85, |around| around.shadow_strength);
        let frame = &mut self.frame;
        frame.camera = state.orbit.camera();
        frame.overlay.labels.height = 8.0 * state.scale;
        let plain = Background::srgb(look.background[0], look.background[1], look.background[2]);
        match &state.set {
            Some(set) => {
                set.apply(frame, modes, plain, bounds);
                frame.exposure *= look.exposure;
            }
            None if studio.is_some() => {
                let around = studio.as_ref().map_or_else(Surroundings::default, Clone::clone);
                around.apply(frame);
                frame.exposure = look.exposure;
                frame.fog = fog(state, size);
                let Floor { pool, reflection, .. } = around.floor_under(bounds);
                let own = floor(bounds, modes.grid, modes.shadows);
                frame.floor = Floor { pool, reflection, ..own };
            }
            None => {
                frame.exposure = look.exposure;
                frame.ambient = Vec3::ZERO;
                frame.environment = Environment::Sky(sky(look));
                frame.environment_strength = look.sky_strength;
                frame.background = if modes.sky { Background::Sky(1.0) } else { plain };
                frame.fog = fog(state, size);
                frame.floor = floor(bounds, modes.grid, modes.shadows && place.is_none());
                frame.lights.clear();
                frame.environment_rotation = 0.0;
            }
        }
        if self.slow {
            frame.floor.reflection = 0.0;
        }
        frame.tone = look.tone.tone();
        if let (Some((_, environment)), None) = (&state.environment, &state.set) {
            frame.environment = environment.clone();
            frame.environment_strength = look.sky_strength;
            frame.environment_rotation = look.sun_yaw.to_radians();
            // The image has its own lamps in it.
            frame.lights.clear();
            if modes.sky {
                frame.background = Background::Sky(1.0);
            }
        }
        frame.occlusion =
            if self.slow || !modes.occlusion { Occlusion::OFF } else { Occlusion::DRAFT };
        frame.surfaces = modes.surfaces;
        frame.wireframe = modes.wireframe;
        frame.shadows = Shadows {
            on: modes.shadows && strength > 0.0,
            strength,
            map_size: if self.slow { 1024 } else { 2048 },
            reach: (size * 4.0).max(if place.is_some() { 24.0 } else { 0.0 }),
            ..Shadows::default()
        };
        let own = state.models.iter().any(|model| !model.scene().lights.is_empty());
        for model in state.models.iter().filter(|model| model.placement.lights || modes.lights) {
            sinew::stage::lights(&model.actor, &mut frame.lights);
        }
        if studio.is_some() && state.environment.is_none() && modes.lights && own {
            // The lights of the file in place of the key.
            frame.lights.remove(0);
        } else if state.set.is_none()
            && studio.is_none()
            && state.environment.is_none()
            && !(modes.lights && own)
        {
            let color = sky(look).sun_color;
            frame.lights.push(Light::directional(-sun(look), color, look.sun_strength));
        }
        if let Some((_, uploaded, rest)) = place {
            frame.add(uploaded, &rest.view(Affine3A::IDENTITY));
        }
    }
}

/// The studio that was chosen, its lamps about a camera in front of the model.
fn studio(state: &State) -> Option<Surroundings> {
    let theme = state.look.studio.theme().filter(|_| !state.modes.sky)?;
    let mut studio = Surroundings::studio(theme);
    studio.face(View::ThreeQuarter.direction_of(state.facing()));
    Some(studio)
}

/// Towards the sun; unit length.
fn sun(look: &Look) -> Vec3 {
    let (sin, cos) = look.sun_yaw.to_radians().sin_cos();
    let (rise, level) = look.sun_height.to_radians().sin_cos();
    Vec3::new(sin * level, rise, cos * level)
}

/// A sky whose colours follow the sun: warm when it is low.
fn sky(look: &Look) -> Sky {
    let day = (look.sun_height / 45.0).clamp(0.0, 1.0);
    let plain = Sky::default();
    let evening = Sky {
        zenith: Vec3::new(0.16, 0.30, 0.58),
        horizon: Vec3::new(0.92, 0.72, 0.55),
        ground: Vec3::new(0.26, 0.22, 0.19),
        sun_color: Vec3::new(1.0, 0.78, 0.54),
        ..plain
    };
    Sky {
        zenith: evening.zenith.lerp(plain.zenith, day),
        horizon: evening.horizon.lerp(plain.horizon, day),
        ground: evening.ground.lerp(plain.ground, day),
        sun_color: evening.sun_color.lerp(plain.sun_color, day),
        sun: sun(look),
        ..plain
    }
}

fn fog(state: &State, size: f32) -> Fog {
    if !state.modes.fog {
        return Fog::None;
    }
    let [red, green, blue] = state.look.background;
    let color = match Background::srgb(red, green, blue) {
        _ if state.modes.sky => sky(&state.look).horizon,
        Background::Color(color) => color,
        _ => Vec3::ZERO,
    };
    Fog::ExponentialSquared { color, density: 1.0 / (state.look.fog_distance.max(0.1) * size) }
}

fn floor(bounds: Bounds, grid: bool, shadow: bool) -> Floor {
    // What is on the floor in its file stays on it; what reaches below has the floor under it.
    let height = if bounds.is_empty() { 0.0 } else { bounds.min.y.min(0.0) };
    let height = if bounds.is_empty() || height > -0.02 * bounds.size().y { 0.0 } else { height };
    Floor { grid, shadow, height, ..Floor::under(bounds) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_floor_is_at_zero_unless_the_model_reaches_below() {
        let on_floor = Bounds { min: Vec3::new(-1.0, -0.01, -1.0), max: Vec3::splat(1.8) };
        assert_eq!(floor(on_floor, true, true).height, 0.0);
        let below = Bounds { min: Vec3::splat(-1.0), max: Vec3::ONE };
        assert_eq!(floor(below, true, true).height, -1.0);
        assert_eq!(floor(Bounds::EMPTY, true, true).height, 0.0);
    }

    #[test]
    fn the_sun_is_where_it_is_put() {
        let look = Look { sun_yaw: 90.0, sun_height: 0.0, ..Look::default() };
        assert!(sun(&look).abs_diff_eq(Vec3::X, 1e-6));
        assert!(sky(&look).horizon.x > sky(&look).horizon.z, "an evening is warm");
    }
}
