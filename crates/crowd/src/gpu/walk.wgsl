// From parents' spaces to the model's (or the world's), and from there to palettes.
//
// `base` is the first slot of a group's first character in `rows`; `first` is that character's number.

fn shear(thread: u32, here: u32, base: u32) {
    for (var item = thread; item < SHEARS * TOGETHER; item += THREADS) {
        let who = item % TOGETHER;
        if who < here {
            let bind = binds[MATRICES + item / TOGETHER];
            let slot = base + who * STRIDE + bind.slot;
            set_rows(slot, product(rows_at(slot), bind.matrix));
        }
    }
}

// All chains of a rank, neighbouring threads in neighbouring characters.
fn walk(rank: u32, thread: u32, here: u32, base: u32, first: u32) {
    let span = chains[rank];
    for (var item = thread; item < (span.end - span.first) * TOGETHER; item += THREADS) {
        let who = item % TOGETHER;
        if who >= here {
            continue;
        }
        let chain = chains[span.first + item / TOGETHER];
        let own = base + who * STRIDE;
        var model = rows_at(own + chain.parent);
        if PLACED && rank == 0u {
            model = product(places[first + who], model);
            set_rows(own + chain.parent, model);
        }
        for (var slot = own + chain.first; slot < own + chain.end; slot++) {
            model = product(model, rows_at(slot));
            set_rows(slot, model);
        }
    }
}

// Neighbouring threads write neighbouring rows; each keeps its inverse bind for all characters.
fn write_palettes(thread: u32, here: u32, base: u32, first: u32) {
    for (var row = thread; row < 3u * MATRICES; row += THREADS) {
        let bind = binds[row / 3u];
        let read = 3u * (base + bind.slot) + row % 3u;
        let write = 3u * first * MATRICES + row;
        for (var who = 0u; who < here; who++) {
            var out = rows[read + 3u * STRIDE * who];
            if BOUND {
                out = carried(out, bind.matrix);
            }
            palettes[write + 3u * MATRICES * who] = out;
        }
    }
}
