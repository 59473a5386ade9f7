// The bar under the model: play, scrubber with keys and markers, speed, clips, loop.
//
// Plain form controls with labels, so keyboards and screen readers use it as they use any other.

import { make } from './style.js';

const SPEEDS = [0.1, 0.25, 0.5, 1, 1.5, 2];
/** Steps of the scrubber. */
const STEPS = 1000;

const clock = (seconds) => `${seconds.toFixed(2)} s`;

export class Controls {
  #tag;
  #scrubbing = false;
  #time = 0;
  #duration = 0;

  constructor(tag) {
    this.#tag = tag;
    this.play = make('button', { type: 'button', onclick: () => (tag.paused ? tag.play() : tag.pause()) });
    this.scrubber = make('input', {
      type: 'range', min: 0, max: STEPS, step: 1, value: 0,
      attributes: { 'aria-label': 'time' },
      oninput: () => this.#scrub(),
      onchange: () => (this.#scrubbing = false),
    });
    this.ticks = make('div', { className: 'ticks' });
    this.time = make('span', { className: 'time' });
    this.clips = make('select', {
      attributes: { 'aria-label': 'animation' },
      onchange: () => (tag.animationName = this.clips.value),
    });
    this.speed = make('select', {
      attributes: { 'aria-label': 'speed' },
      onchange: () => (tag.timeScale = Number(this.speed.value)),
    });
    this.speed.append(...SPEEDS.map((speed) => make('option', { value: speed, textContent: `${speed}×`, selected: speed === 1 })));
    this.loop = make('button', {
      type: 'button', textContent: '⟳',
      attributes: { 'aria-label': 'loop', 'aria-pressed': 'true' },
      onclick: () => this.#toggleLoop(),
    });
    const track = make('div', { className: 'track' }, this.ticks, this.scrubber);
    this.bar = make(
      'div',
      { className: 'controls', hidden: true, attributes: { role: 'group', 'aria-label': 'animation controls', part: 'controls' } },
      this.play, track, this.time, this.clips, this.speed, this.loop,
    );
    this.show(true);
  }

  #scrub() {
    this.#scrubbing = true;
    this.#tag.pause();
    this.#tag.currentTime = (this.scrubber.value / STEPS) * this.#duration;
  }

  #toggleLoop() {
    const looped = this.loop.getAttribute('aria-pressed') !== 'true';
    this.loop.setAttribute('aria-pressed', String(looped));
    this.#tag.play({ repetitions: looped ? Infinity : 1 });
  }

  /** The clips of a model, and the marks of the one that plays. */
  fill(clips, name) {
    this.clips.replaceChildren(...clips.map((clip) => make('option', { value: clip.name, textContent: clip.name, selected: clip.name === name })));
    this.clips.hidden = clips.length < 2;
    this.bar.classList.toggle('still', clips.length === 0);
    const clip = clips.find((it) => it.name === name);
    this.ticks.replaceChildren();
    if (!clip || !(clip.duration > 0)) return;
    const at = (element, time) => {
      element.style.left = `${(100 * time) / clip.duration}%`;
      return element;
    };
    for (const time of clip.keys.length <= 120 ? clip.keys : []) this.ticks.append(at(make('i'), time));
    for (const marker of clip.markers) this.ticks.append(at(make('b', { title: marker.name }), marker.time));
  }

  /** Where time is; written where it is seen alone. */
  move(time = this.#time, duration = this.#duration) {
    this.#time = time;
    this.#duration = duration;
    if (this.bar.hidden) return;
    if (!this.#scrubbing) this.scrubber.value = duration > 0 ? Math.round((STEPS * time) / duration) : 0;
    const text = duration > 0 ? `${clock(time)} / ${clock(duration)}` : clock(time);
    if (this.time.textContent !== text) {
      this.time.textContent = text;
      this.scrubber.setAttribute('aria-valuetext', clock(time));
    }
  }

  reveal(seen) {
    this.bar.hidden = !seen;
    this.move();
  }

  /** Whether time runs. */
  show(paused) {
    this.play.textContent = paused ? '▶' : '❚❚';
    this.play.setAttribute('aria-label', paused ? 'play' : 'pause');
  }
}
