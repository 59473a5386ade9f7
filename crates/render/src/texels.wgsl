// Lists of four numbers in textures: palettes and morph weights of a frame, influences and morph changes of a scene.

const TEXELS_WIDE = 2048u;

@group(0) @binding(1) var pose_texels: texture_2d<f32>;
@group(2) @binding(0) var mesh_texels: texture_2d<f32>;

fn pose_texel(index: u32) -> vec4<f32> {
    return textureLoad(pose_texels, vec2(index % TEXELS_WIDE, index / TEXELS_WIDE), 0);
}

fn mesh_texel(index: u32) -> vec4<f32> {
    return textureLoad(mesh_texels, vec2(index % TEXELS_WIDE, index / TEXELS_WIDE), 0);
}
