// Straight lines of a width in pixels.

struct Line {
    @location(0) from_point: vec3<f32>,
    @location(1) to_point: vec3<f32>,
    @location(2) color: vec4<f32>,
    @location(3) width: f32,
}

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec4<f32>,
    // Pixels from the line's middle, and half its width.
    @location(1) across: vec2<f32>,
}

override DIM: f32 = 1.0;

@vertex
fn vertex(line: Line, @builtin(vertex_index) index: u32) -> Fragment {
    var a = globals.clip_from_world * vec4(line.from_point, 1.0);
    var b = globals.clip_from_world * vec4(line.to_point, 1.0);
    // An end behind the camera is brought forward along the line.
    let least = 1e-4;
    if a.w < least && b.w > least {
        a = mix(a, b, (least - a.w) / (b.w - a.w));
    } else if b.w < least && a.w > least {
        b = mix(b, a, (least - b.w) / (a.w - b.w));
    }
    let size = globals.viewport.xy * 0.5;
    let along = b.xy / b.w * size - a.xy / a.w * size;
    let direction = select(vec2(1.0, 0.0), normalize(along), dot(along, along) > 1e-12);
    // Half a pixel more on either side, where the edge fades.
    let across = (f32(index & 1u) - 0.5) * (line.width + 1.0);
    let side = vec2(-direction.y, direction.x) * across;
    var end = select(a, b, index >= 2u);
    end = vec4(end.xy + side / size * end.w, end.zw);
    let color = vec4(line.color.rgb * line.color.a, line.color.a) * DIM;
    // The image is flat: what is across must not be bent by depth.
    return Fragment(end, color, vec2(across, line.width * 0.5) * end.w);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    let across = in.across * in.clip.w;
    return in.color * clamp(across.y + 0.5 - abs(across.x), 0.0, 1.0);
}
