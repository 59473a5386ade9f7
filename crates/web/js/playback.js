// What a tag plays: clips, layers, graphs; and what happens meanwhile.
//
// In:  attributes, properties and methods. Out: calls to the viewer, which moves; events, each once.

import { parameters, words } from './parse.js';
import { applyState, stateOf } from './state.js';

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export const Playback = (Base) => class extends Base {
  #name = null;
  #paused = true;
  #time = 0;
  #duration = 0;
  #speed = 1;
  #layers = [];
  #appended = [];
  #graph = false;
  #scrubbed = null;
  #parameterValues = [];
  #seeking = 0;
  /** The model stands as it was modelled: nothing was asked to play yet. */
  #atRest = true;

  /** Names of all clips. */
  get availableAnimations() {
    return this.facts ? this.facts.clips.map((clip) => clip.name) : [];
  }

  /** Names of the file's material variants. */
  get availableVariants() {
    return this.facts?.variants ?? [];
  }

  get paused() {
    return this.#paused;
  }

  get duration() {
    return this.#duration;
  }

  get currentTime() {
    return this.#time;
  }

  set currentTime(time) {
    this.#time = Number(time) || 0;
    this.#seeking += 1;
    const seeking = this.#seeking;
    this.ask('seek', this.#time).then(() => {
      if (seeking === this.#seeking) this.#seeking = 0;
    });
  }

  get timeScale() {
    return this.#speed;
  }

  set timeScale(speed) {
    this.#speed = Number(speed);
    this.ask('setSpeed', this.#speed);
  }

  #clipIndex(name) {
    const clips = this.facts?.clips ?? [];
    const found = clips.findIndex((clip) => clip.name === name);
    if (found >= 0 || name === null) return found;
    const number = Number(name);
    return Number.isInteger(number) && number >= 0 && number < clips.length ? number : -1;
  }

  /** After a load: what the attributes ask for. */
  async startPlayback() {
    this.changed = true;
    this.#layers = [];
    this.#appended = [];
    this.#graph = false;
    this.#time = 0;
    this.#paused = !(this.autoplay && !still());
    const clips = this.facts.clips;
    let index = this.#clipIndex(this.animationName);
    if (index < 0) index = clips.findIndex((clip) => clip.keys.length > 0);
    if (index < 0 && clips.length) index = 0;
    this.#name = clips[index]?.name ?? null;
    this.#duration = clips[index]?.duration ?? 0;
    // Without `autoplay` and a name, a model stands as it was modelled, as in model-viewer.
    const moves = this.autoplay || this.animationName !== null || this.controls || this.scrub;
    const paused = this.#paused;
    this.#atRest = !(moves && index >= 0);
    const calls = [['play', this.#atRest ? undefined : index, 0], ['setSpeed', this.#speed], ['setRepetitions', 0, false], ['setPaused', paused]];
    if (this.mirror) calls.push(['setMirror', true]);
    if (this.rootMotion) calls.push(['setRootMotion', this.rootMotion]);
    await this.call('calls', calls);
    if (this.graph) await this.#startGraph();
    this.barOfControls.fill(clips, this.#name);
    this.barOfControls.show(this.#paused);
    this.barOfControls.move(0, this.#duration);
    if (!this.#paused && clips.length) this.tell('play');
    if (this.scrub) this.#scrubNow();
  }

  async #startGraph() {
    try {
      const known = await this.call('playGraph', new URL(this.graph, document.baseURI).href, 0);
      this.#graph = true;
      this.#duration = 0;
      this.#parameterValues = known;
      for (const [name, value] of parameters(this.getAttribute('parameters'))) await this.ask('setParameter', name, value);
      await this.call('call', 'setPaused', still());
      this.#paused = still();
    } catch (error) {
      this.tell('note', { text: error.message });
    }
  }

  /** An attribute of motion has changed. */
  applyPlayback(name) {
    if (name === 'animation-name') this.#change(this.animationName);
    else if (name === 'mirror') this.ask('setMirror', this.mirror);
    else if (name === 'root-motion') this.ask('setRootMotion', this.rootMotion ?? '');
    else if (name === 'parameters') for (const [it, value] of parameters(this.getAttribute(name))) this.setParameter(it, value);
    else if (name === 'autoplay' && this.autoplay && !still()) this.play();
    else return false;
    return true;
  }

  #change(name) {
    const index = this.#clipIndex(name);
    if (index < 0) {
      if (name !== null) this.tell('note', { text: `there is no animation "${name}"` });
      return;
    }
    const from = this.#name;
    this.#name = this.facts.clips[index].name;
    this.#duration = this.facts.clips[index].duration;
    this.#time = 0;
    this.#layers = [];
    this.#appended = [];
    this.#graph = false;
    this.#atRest = false;
    const given = this.getAttribute('animation-crossfade-duration');
    const fade = given === null ? 0.3 : Number(given) / 1000 || 0;
    this.ask('play', index, this.#paused ? 0 : fade);
    this.barOfControls.fill(this.facts.clips, this.#name);
    this.tell('transition', { machine: null, from, to: this.#name });
  }

  /** Plays; `repetitions` of the clip (endless by default), turning round at its ends with `pingpong`. */
  play({ repetitions = Infinity, pingpong = false } = {}) {
    if (!this.loaded) {
      this.ready.then(() => this.play({ repetitions, pingpong }), () => {});
      return;
    }
    this.#paused = false;
    const count = Number.isFinite(repetitions) ? Math.max(1, Math.round(repetitions)) : 0;
    this.changed = true;
    const calls = [['setRepetitions', count, Boolean(pingpong)], ['setPaused', false]];
    const index = this.#clipIndex(this.#name);
    const at = this.#graph || this.#layers.length || this.#appended.length ? -1 : index;
    if (this.#atRest && at >= 0) calls.unshift(['play', at, 0]);
    this.#atRest = false;
    this.call('calls', calls).then(() => this.invalidate());
    this.barOfControls.show(false);
    this.tell('play');
  }

  /** Stops time. */
  pause() {
    if (this.#paused) return;
    this.#paused = true;
    this.ask('setPaused', true);
    this.barOfControls.show(true);
    this.tell('pause');
  }

  // ---- several at once

  /** Clips over the one that plays: `{clip, weight, mask: [joint, …], additive}`. */
  get layers() {
    return this.#layers.map((layer) => ({ ...layer }));
  }

  set layers(layers) {
    this.#layers = layers.map((layer) => ({ weight: 1, mask: [], additive: false, ...layer }));
    this.layersReady = this.#playLayers(this.#layers, false);
  }

  /** The weight of a layer, by its place in the list. */
  setLayerWeight(index, weight) {
    this.#layers[index].weight = weight;
    return this.ask('setParameter', `weight ${index}`, weight);
  }

  async #playLayers(layers, mix) {
    const list = layers.map(({ clip, additive, mask }) => [clip, Boolean(additive), ...(Array.isArray(mask) ? mask : words(mask))]);
    try {
      const kept = [this.#layers, this.#appended];
      await this.useWhole();
      [this.#layers, this.#appended] = kept;
      await this.call('call', 'playLayers', this.#name ?? '', list, mix, 0.2);
      for (const [index, { weight }] of layers.entries()) await this.call('call', 'setParameter', `weight ${index}`, weight);
      if (!this.#paused) await this.call('call', 'setPaused', false);
      this.changed = true;
      this.invalidate();
    } catch (error) {
      this.tell('note', { text: error.message });
    }
  }

  /** Plays one more clip beside the one that plays, by its weight. */
  appendAnimation(clip, { weight = 1 } = {}) {
    this.#appended = [...this.#appended.filter((it) => it.clip !== clip), { clip, weight, mask: [] }];
    return this.#playLayers(this.#appended, true);
  }

  /** Takes such a clip away. */
  detachAnimation(clip) {
    this.#appended = this.#appended.filter((it) => it.clip !== clip);
    if (this.#appended.length) return this.#playLayers(this.#appended, true);
    return this.ask('play', this.#clipIndex(this.#name), 0.2);
  }

  get appendedAnimations() {
    return this.#appended.map(({ clip }) => clip);
  }

  /** Adds the clips of one more file: bound by names, or retargeted. Gives all clips. */
  async addAnimations(url) {
    if (this.facts.build === 'core') {
      // The small build does not retarget: the model is opened anew with these clips.
      const loaded = new Promise((resolve) => this.addEventListener('load', resolve, { once: true }));
      this.animations = [this.animations, url].filter(Boolean).join(' ');
      await loaded;
      return this.facts.clips;
    }
    const facts = await this.call('addClips', new URL(url, document.baseURI).href);
    this.facts = { ...this.facts, ...facts };
    this.barOfControls.fill(facts.clips, this.#name);
    return facts.clips;
  }

  // ---- graphs

  /** The values of the graph's parameters. */
  get parameterValues() {
    return Object.fromEntries(this.#parameterValues);
  }

  async setParameter(name, value) {
    if (!this.#graph) return this.tell('note', { text: `there is no parameter "${name}": no graph plays` });
    try {
      await this.ask('setParameter', name, Number(value));
      this.#parameterValues = await this.call('call', 'parameters');
    } catch (error) {
      this.tell('note', { text: error.message });
    }
  }

  /** Fires a trigger of the graph. */
  fire(name) {
    return this.setParameter(name, 1);
  }

  // ---- scrolling

  startScrub() {
    this.stopScrub();
    if (this.scrub !== 'scroll') return;
    this.#scrubbed = () => this.#scrubNow();
    addEventListener('scroll', this.#scrubbed, { passive: true });
  }

  stopScrub() {
    if (this.#scrubbed) removeEventListener('scroll', this.#scrubbed);
    this.#scrubbed = null;
  }

  #scrubNow() {
    if (!this.loaded || !(this.#duration > 0)) return;
    const { top, height } = this.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (innerHeight - top) / (innerHeight + height)));
    this.currentTime = share * this.#duration;
  }

  // ---- what a frame brings

  takePlayback({ time, duration, playing, events }) {
    if (!this.#seeking) {
      const before = this.#time;
      this.#time = time;
      if (!this.#graph && duration > 0) this.#duration = duration;
      if (before !== time) this.tell('timeupdate', { time, duration: this.#duration });
    }
    this.barOfControls.move(this.#time, this.#duration);
    for (const [kind, ...rest] of events) {
      if (kind === 'marker') {
        const [name, at, clip, weight] = rest;
        this.tell('marker', { name, time: at, clip, weight });
      } else if (kind === 'loop') this.tell('loop', { count: rest[0] });
      else if (kind === 'transition') this.tell('transition', { machine: rest[0], from: rest[1], to: rest[2] });
      else if (kind === 'finished') {
        this.#paused = true;
        this.barOfControls.show(true);
        this.tell('finished');
      }
    }
    this.isPlaying = playing;
  }

  // ---- all of it, as text

  /** The whole view as the end of an address. */
  get state() {
    return stateOf(this);
  }

  set state(text) {
    applyState(this, text);
  }

  /** The whole view, with the graph as it is, to come back to. */
  async snapshot() {
    const graph = this.#graph ? [...(await this.call('call', 'saveGraph'))] : null;
    return { state: this.state, parameters: this.#parameterValues, graph };
  }

  async restore({ state, parameters: values, graph }) {
    await applyState(this, state);
    for (const [name, value] of values ?? []) await this.setParameter(name, value);
    if (graph?.length) await this.ask('restoreGraph', new Uint8Array(graph));
    this.changed = true;
    this.invalidate();
  }
};
