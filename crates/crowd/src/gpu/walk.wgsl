// Down the chains, from parents' spaces to the model's (or the world's), and from there to palettes.

// From a rotation of length √2.
fn rows_of(q: vec4<f32>, place: vec3<f32>) -> Rows {
    let w = q.w * q.xyz;
    return Rows(
        vec4(1.0 - q.y * q.y - q.z * q.z, q.x * q.y - w.z, q.x * q.z + w.y, place.x),
        vec4(q.x * q.y + w.z, 1.0 - q.x * q.x - q.z * q.z, q.y * q.z - w.x, place.y),
        vec4(q.x * q.z - w.y, q.y * q.z + w.x, 1.0 - q.x * q.x - q.y * q.y, place.z),
    );
}

// Where a joint stands that does more than rotate, or is sheared.
fn special_rows(special: Special, rotation: vec4<f32>, rest: Rows, both: Both) -> Rows {
    var local = rest;
    if MOVES && special.mover > 0u {
        let moved = moved_of(both, special.mover - 1u);
        let size = vec4(moved.size.xyz, 1.0);
        let turned = rows_of(rotation, moved.place.xyz);
        local = Rows(turned.x * size, turned.y * size, turned.z * size);
    }
    if special.shear > 0u {
        local = product(local, bind_at(special.shear - 1u).matrix);
    }
    return local;
}

// A matrix of a character. Eight characters lie side by side, so that neighbouring threads write neighbouring rows.
fn write(character: u32, matrix: u32, model: Rows, bind: Rows) {
    var out = model;
    if BOUND {
        out = product(model, bind);
    }
    let to = 24u * (character / 8u * MATRICES + matrix) + character % 8u;
    palettes[to] = out.x;
    palettes[to + 8u] = out.y;
    palettes[to + 16u] = out.z;
}

// One joint further down: where it stands, from where its parent does; `who` of the group that begins with `first`.
fn step_down(
    parent: Rows,
    number: u32,
    rotation: vec4<f32>,
    both: Both,
    who: u32,
    first: u32,
) -> Rows {
    let slot = slot_at(number);
    var local = rows_of(rotation, slot.place);
    if (slot.what & SPECIAL) != 0u {
        local = special_rows(special_at(number), rotation, local, both);
    }
    let model = product(parent, local);
    if (slot.what & WRITTEN) != 0u {
        write(first + who, slot.what >> 2u, model, slot.bind);
    }
    if (slot.what & SPECIAL) != 0u {
        let special = special_at(number);
        if special.branch > 0u {
            set_branch(special.branch - 1u, who, model);
        }
        for (var at = special.first; at < special.end; at++) {
            let bind = bind_at(at);
            write(first + who, bind.to, model, bind.matrix);
        }
    }
    return model;
}

// All chains of a rank, neighbouring threads in neighbouring characters; `first` is the first character's number.
fn walk(rank: u32, thread: u32, here: u32, first: u32) {
    let span = chains[rank];
    for (var item = thread; item < (span.end - span.first) * TOGETHER; item += THREADS) {
        let who = item % TOGETHER;
        if who >= here {
            continue;
        }
        let chain = chains[span.first + item / TOGETHER];
        let both = both_at(who);
        var model = Rows(vec4(1.0, 0.0, 0.0, 0.0), vec4(0.0, 1.0, 0.0, 0.0), vec4(0.0, 0.0, 1.0, 0.0));
        if rank > 0u {
            model = branch_at(chain.branch, who);
        } else if PLACED {
            model = places[first + who];
        }
        for (var number = chain.first; number < chain.end; number += 2u) {
            let rotations = rotations_of(both, number);
            model = step_down(model, number, rotations.first, both, who, first);
            if number + 1u < chain.end {
                model = step_down(model, number + 1u, rotations.second, both, who, first);
            }
        }
    }
}
