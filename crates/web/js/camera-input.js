// Pointers, wheel and keys that move the camera.
//
// In:  what a person does on the canvas. Out: calls `rotate`, `zoom` and `pan`.

/** Radians for a drag across the whole canvas. */
const ROUND = 2 * Math.PI;
const KEYS = {
  ArrowLeft: [-Math.PI / 12, 0], ArrowRight: [Math.PI / 12, 0],
  ArrowUp: [0, -Math.PI / 16], ArrowDown: [0, Math.PI / 16],
};

/** Listens on `canvas`; `enabled` says whether to, `move(method, …)` is called. */
export function listen(canvas, enabled, move) {
  const pointers = new Map();
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return { gap: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };

  canvas.addEventListener('pointerdown', (event) => {
    if (!enabled()) return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  canvas.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const { clientHeight } = canvas;
    const now = { x: event.clientX, y: event.clientY };
    const panning = event.shiftKey || event.ctrlKey || event.metaKey || event.buttons & 6;
    if (pointers.size === 1 && panning) {
      move('pan', (before.x - now.x) / clientHeight, (now.y - before.y) / clientHeight);
    } else if (pointers.size === 1) {
      move('rotate', (-ROUND * (now.x - before.x)) / clientHeight, (-Math.PI * (now.y - before.y)) / clientHeight);
    } else if (pointers.size === 2) {
      const old = spread();
      pointers.set(event.pointerId, now);
      const { gap, x, y } = spread();
      move('zoom', old.gap / Math.max(gap, 1));
      move('pan', (old.x - x) / clientHeight, (y - old.y) / clientHeight);
    }
    pointers.set(event.pointerId, now);
  });
  for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) {
    canvas.addEventListener(end, (event) => pointers.delete(event.pointerId));
  }
  canvas.addEventListener('contextmenu', (event) => enabled() && event.preventDefault());
  canvas.addEventListener('wheel', (event) => {
    if (!enabled()) return;
    event.preventDefault();
    move('zoom', Math.exp(Math.max(-50, Math.min(50, event.deltaY)) * 0.006));
  }, { passive: false });
  canvas.addEventListener('keydown', (event) => {
    if (!enabled() || event.altKey || event.ctrlKey || event.metaKey) return;
    if (KEYS[event.key]) move('rotate', ...KEYS[event.key]);
    else if (event.key === '+' || event.key === 'PageUp') move('zoom', 0.85);
    else if (event.key === '-' || event.key === 'PageDown') move('zoom', 1 / 0.85);
    else return;
    event.preventDefault();
  });
}
