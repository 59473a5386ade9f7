//! Material variants: one upload, several looks.

use glam::{Affine3A, Vec3, Vec4};
use sinew_scene::{MaterialId, Scene, VariantId};

use super::stage::{at, dark_frame, gpu, paint, parts, shoot, square};
use crate::{Renderer, RestPose};

#[test]
fn one_upload_is_drawn_in_each_of_its_variants() {
    let red = Vec4::new(1.0, 0.0, 0.0, 1.0);
    let mut parts = parts(vec![(square(), paint(red), Vec3::ZERO)]);
    parts.materials.push(paint(Vec4::new(0.0, 1.0, 0.0, 1.0)));
    parts.variants = vec!["as it is".into(), "green".into()];
    parts.meshes[0].primitives[0].variants = vec![(VariantId::new(1), MaterialId::new(1))];
    let scene = Scene::new(parts).expect("a good scene");
    let mut renderer = Renderer::new(&gpu());
    let model = renderer.upload(&scene).expect("uploads");
    let still = RestPose::new(&scene);
    let mut shown = |variant: Option<&str>| {
        let variant = variant.map(|name| scene.find_variant(name).expect("a variant"));
        let mut frame = dark_frame();
        // From a look that is another already: what is filed is not lost.
        let other = model.in_variant(Some(VariantId::new(1)));
        frame.add(&other.in_variant(variant), &still.view(Affine3A::IDENTITY));
        let color = at(&shoot(&mut renderer, &mut frame), 0.0, 0.0);
        (color.x > 0.5, color.y > 0.5)
    };
    assert_eq!(shown(None), (true, false));
    assert_eq!(shown(Some("as it is")), (true, false));
    assert_eq!(shown(Some("green")), (false, true));
}
