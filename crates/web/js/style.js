// The look of the tag's own parts. A constructed sheet: a strict Content-Security-Policy allows it.

export const sheet = new CSSStyleSheet();
sheet.replaceSync(`
:host { display: block; position: relative; width: 300px; height: 150px; contain: strict; }
:host([hidden]) { display: none; }
.all { position: absolute; inset: 0; display: flex; flex-direction: column; border-radius: inherit; overflow: hidden; }
.stage { position: relative; flex: 1; min-height: 0; }
.view { position: absolute; inset: 0; width: 100%; height: 100%; display: block; outline-offset: -3px; }
:host([camera-controls]) .view { touch-action: none; cursor: grab; }
:host([camera-controls]) .view:active { cursor: grabbing; }
.view:focus-visible { outline: 3px solid #2a6fdb; }
.poster { position: absolute; inset: 0; background: center / contain no-repeat; transition: opacity 0.3s; pointer-events: none; }
.poster[hidden] { display: none; }
.message { position: absolute; inset: auto 0 0 0; margin: 0; padding: 0.75em 1em; font: 14px/1.4 system-ui, sans-serif;
  color: #fff; background: #7a1f1fe6; overflow-wrap: anywhere; max-height: 60%; overflow: auto; }
.message[hidden] { display: none; }
.bar { position: absolute; top: 0; left: 0; height: 3px; width: 100%; transform-origin: left; background: #2a6fdb; }
.bar[hidden] { display: none; }
.hotspots { position: absolute; inset: 0; overflow: hidden; pointer-events: none; }
.hotspots ::slotted(*) { position: absolute; left: 0; top: 0; pointer-events: auto; will-change: transform; }
.controls { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; padding: 6px 10px;
  box-sizing: border-box; font: 13px/1.3 system-ui, sans-serif; color: #f4f5f7; background: #17191d; }
.controls[hidden] { display: none; }
.controls button, .controls select { font: inherit; color: inherit; background: #2c3038; border: 1px solid #454b57; border-radius: 5px;
  min-height: 30px; padding: 2px 8px; max-width: 11em; }
.controls button { min-width: 34px; cursor: pointer; }
.controls button[aria-pressed="true"] { background: #2a6fdb; border-color: #2a6fdb; }
.controls :focus-visible { outline: 2px solid #8ab4ff; outline-offset: 1px; }
.track { position: relative; flex: 1 1 120px; min-width: 90px; height: 30px; }
.track input { position: absolute; inset: 0; width: 100%; margin: 0; accent-color: #6ea4ff; }
.ticks { position: absolute; inset: 0 8px; pointer-events: none; }
.ticks i { position: absolute; bottom: 1px; width: 1px; height: 4px; background: #9aa3b2; }
.ticks b { position: absolute; top: 0; width: 3px; height: 9px; margin-left: -1px; border-radius: 1px; background: #ffb454; }
.time { font-variant-numeric: tabular-nums; min-width: 7.5em; text-align: right; }
.quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: reduce) { .poster { transition: none; } }
`);

/** An element with properties, attributes and children; text is only ever text. */
export function make(tag, { attributes = {}, ...properties } = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
