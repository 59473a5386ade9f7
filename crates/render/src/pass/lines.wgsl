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
}

override DIM: f32 = 1.0;

@vertex
fn vertex(line: Line, @builtin(vertex_index) index: u32) -> Fragment {
    var a = globals.clip_from_world * vec4(line.from_point, 1.0);
    var b = globals.clip_from_world * vec4(line.to_point, 1.0);
    // An end behind the eye is brought forward along the line.
    let least = 1e-4;
    if a.w < least && b.w > least {
        a = mix(a, b, (least - a.w) / (b.w - a.w));
    } else if b.w < least && a.w > least {
        b = mix(b, a, (least - b.w) / (a.w - b.w));
    }
    let size = globals.viewport.xy * 0.5;
    let along = b.xy / b.w * size - a.xy / a.w * size;
    let direction = select(vec2(1.0, 0.0), normalize(along), dot(along, along) > 1e-12);
    let side = vec2(-direction.y, direction.x) * (f32(index & 1u) - 0.5) * line.width;
    var end = select(a, b, index >= 2u);
    end = vec4(end.xy + side / size * end.w, end.zw);
    return Fragment(end, vec4(line.color.rgb * line.color.a, line.color.a) * DIM);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    return in.color;
}
