// <sinew-viewer>: a rigged model on a web page. One script tag, no build step.
//
// In:  attributes, properties and methods, those of <model-viewer> first. Out: a picture, and events.
//
// The page's side is thin: models live in a worker (session.js), motion is WebAssembly's. This file has the
// tag's life: loading, drawing when something has changed, and telling what happened. What it plays is in
// playback.js, what it shows in view.js.

import { listen } from './camera-input.js';
import { Controls } from './controls.js';
import { Hotspots } from './hotspots.js';
import { Remote, compileAhead, stopCompiling } from './host.js';
import { Playback } from './playback.js';
import { applyState } from './state.js';
import { make, sheet } from './style.js';
import { Ticker } from './ticker.js';
import { View } from './view.js';

const BOOLEANS = ['autoplay', 'camera-controls', 'auto-rotate', 'controls', 'mirror', 'drop'];
const TEXTS = [
  'src', 'alt', 'poster', 'loading', 'reveal', 'animation-name', 'animation-crossfade-duration', 'camera-orbit', 'camera-target',
  'field-of-view', 'skybox-image', 'environment-image', 'shadow-intensity', 'exposure', 'variant-name', 'animations', 'graph',
  'parameters', 'show', 'selected-joint', 'root-motion', 'skinning', 'backend', 'scrub', 'background', 'theme', 'camera', 'rotation-per-second',
  'auto-rotate-delay',
];
/** Changing one of these opens the model anew. */
const RELOADS = ['src', 'animations', 'skinning', 'backend', 'graph'];
/** Methods of a viewer that the small build lacks. */
const WHOLE_ONLY = ['show', 'choose', 'setMirror', 'setRootMotion', 'reach'];
const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const ticker = new Ticker();

export class SinewViewer extends Playback(View(HTMLElement)) {
  static observedAttributes = [...BOOLEANS, ...TEXTS];

  #remote = null;
  #canvas = make('canvas', { className: 'view', attributes: { part: 'canvas', role: 'img' } });
  /** The model's place, above the controls. */
  #stage = make('div', { className: 'stage' });
  #poster = make('div', { className: 'poster', hidden: true, attributes: { part: 'poster' } });
  #message = make('p', { className: 'message', hidden: true, attributes: { role: 'alert' } });
  #bar = make('div', { className: 'bar', hidden: true, attributes: { part: 'progress-bar', role: 'progressbar', 'aria-label': 'loading' } });
  #quiet = make('div', { className: 'quiet', attributes: { 'aria-live': 'polite' } });
  #shown = false;
  #near = false;
  #reloading = false;
  #loads = 0;
  /** Something was asked for that only the whole build has. */
  #whole = false;
  /** Files to be opened next, and those that are open. */
  #dropped = null;
  #files = null;
  /** The frame that is being drawn, as a promise. */
  #drawing = null;
  #last = 0;
  #size = { width: 0, height: 0 };
  /** The same in the page's pixels, as last told: to ask would have it laid out. */
  #room = [0, 0];
  #observers = [];

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    this.facts = null;
    this.loaded = false;
    this.modelIsVisible = false;
    this.barOfControls = new Controls(this);
    this.hotspots = new Hotspots(this);
    this.#stage.append(
      this.#canvas, this.#poster, make('slot', { name: 'poster' }), this.hotspots.layer, make('slot'), this.#bar, this.#message,
    );
    root.append(make('div', { className: 'all' }, this.#stage, this.barOfControls.bar, this.#quiet));
    listen(this.#canvas, () => this.hasAttribute('camera-controls'), (method, ...args) => this.moveCamera(method, ...args));
    this.addEventListener('dragover', (event) => this.hasAttribute('drop') && event.preventDefault());
    this.addEventListener('drop', (event) => this.#take(event));
    this.#newReady();
  }

  #newReady() {
    this.ready = new Promise((resolve, reject) => Object.assign(this, { setReady: resolve, setFailed: reject }));
    this.ready.catch(() => {});
  }

  connectedCallback() {
    this.#remote = new Remote((event, detail) => this.#hear(event, detail));
    const seen = new IntersectionObserver(([entry]) => this.#see(entry.isIntersecting), { rootMargin: '0px' });
    const near = new IntersectionObserver(([entry]) => entry.isIntersecting && this.#approach(), { rootMargin: '50%' });
    const sized = new ResizeObserver(() => this.#resize());
    seen.observe(this);
    near.observe(this);
    sized.observe(this.#stage);
    this.#observers = [seen, near, sized];
    this.#describe();
    this.startScrub();
    if (this.loading === 'eager') this.#approach();
    this.#reload();
  }

  disconnectedCallback() {
    this.#observers.forEach((observer) => observer.disconnect());
    this.stopScrub();
    ticker.remove(this);
    this.#remote?.close();
    this.#remote = null;
    this.#near = false;
    this.loaded = false;
    this.facts = null;
    this.#newReady();
  }

  attributeChangedCallback(name, before, now) {
    if (before === now) return;
    if (RELOADS.includes(name)) this.#reload();
    else if (name === 'alt') this.#describe();
    else if (name === 'poster') this.#showPoster();
    else if (name === 'controls') this.barOfControls.reveal(now !== null);
    else if (name === 'camera-controls') this.#describe();
    else if (name === 'scrub') this.startScrub();
    else if (this.loaded) this.applyView(name) || this.applyPlayback(name);
    this.invalidate();
  }

  // ---- loading

  #approach() {
    if (this.#near) return;
    this.#near = true;
    this.#reload();
  }

  #reload() {
    if (this.#reloading || !this.isConnected || !this.#near) return;
    this.#reloading = true;
    queueMicrotask(() => {
      this.#reloading = false;
      if (this.isConnected) this.#load();
    });
  }

  get #needsWhole() {
    return Boolean(this.#whole || this.hotspots.onSkin || this.animations || this.graph || this.show || this.mirror || this.rootMotion);
  }

  async #load() {
    const dropped = this.#dropped;
    this.#dropped = null;
    this.#files = dropped;
    if (!this.src && !dropped) return;
    const load = (this.#loads += 1);
    if (this.loaded) this.#newReady();
    this.loaded = false;
    this.#message.hidden = true;
    this.#showPoster();
    const address = (name) => new URL(name, document.baseURI).href;
    if (!dropped && !this.#needsWhole) compileAhead(address(this.src), this.backend);
    const builtIn = !dropped && this.src.startsWith('sinew:') ? this.src.slice(6) : undefined;
    try {
      const facts = await this.#remote.call('load', {
        src: dropped || builtIn ? undefined : address(this.src),
        files: dropped,
        builtIn,
        animations: (this.animations ?? '').split(/\s+/).filter(Boolean).map(address),
        whole: this.#needsWhole,
        skinning: this.skinning ?? '',
        backend: this.backend ?? 'auto',
      });
      if (load !== this.#loads) return;
      await this.#begin(facts);
    } catch (error) {
      if (load === this.#loads && error.name !== 'AbortError') this.#fail(error);
    }
  }

  /** Opens the model anew with the whole build, where only the small one was needed so far; the view stays. */
  async useWhole() {
    if (this.#whole || this.facts?.build !== 'core') return;
    this.#whole = true;
    const state = this.state;
    const loaded = new Promise((resolve, reject) => {
      this.addEventListener('load', resolve, { once: true });
      this.addEventListener('error', ({ detail }) => reject(detail.sourceError), { once: true });
    });
    this.#dropped = this.#files;
    this.reopening = true;
    try {
      this.#load();
      await loaded;
    } finally {
      this.reopening = false;
    }
    await applyState(this, state);
  }

  async #begin(facts) {
    this.facts = facts;
    this.loaded = true;
    // All are sent at once and answered in order, the first picture last: it does not wait for the page and its worker to take turns.
    const shown = [this.call('calls', this.viewCalls(true)), this.call('call', 'cameraNow')];
    this.bindHotspots();
    const playing = this.startPlayback();
    this.#last = 0;
    // A graph has to be fetched first.
    if (!this.graph && this.#isSeen) this.tick(0);
    const [, camera] = await Promise.all([...shown, playing]);
    this.takeCamera(camera);
    facts.notes.forEach((note) => this.tell('note', { text: note }));
    this.#bar.hidden = true;
    this.#describe();
    this.tell('progress', { totalProgress: 1 });
    this.tell('load', { url: this.src });
    this.setReady(this);
    this.invalidate();
  }

  #fail(error) {
    this.#bar.hidden = true;
    this.#message.textContent = error.message;
    this.#message.hidden = false;
    this.setFailed(error);
    this.tell('error', { type: 'loadfailure', sourceError: error });
  }

  #hear(event, detail) {
    if (event === 'progress') {
      this.#bar.hidden = detail >= 1;
      this.#bar.style.transform = `scaleX(${detail})`;
      this.tell('progress', { totalProgress: detail * 0.9 });
    } else if (event === 'whole') {
      stopCompiling();
    } else if (event === 'note') {
      this.tell('note', { text: detail });
    } else if (event === 'restored') {
      this.tell('note', { text: `the graphics device was lost and opened again (${detail})` });
      this.invalidate();
    }
  }

  /** Opens files that a person has chosen or dropped; the first is the model, unless another is one by its name. */
  async loadFiles(files) {
    const list = await Promise.all([...files].map(async (file) => ({
      name: file.path ?? (file.webkitRelativePath || file.name), bytes: new Uint8Array(await file.arrayBuffer()),
    })));
    const models = /\.(glb|gltf|fbx|dae|zae|obj|md5mesh|skeleton_anim|bvh|zip)$/i;
    list.sort((a, b) => Number(models.test(b.name)) - Number(models.test(a.name)));
    this.#dropped = list;
    this.#near = true;
    return this.#load();
  }

  #take(event) {
    if (!this.hasAttribute('drop') || !event.dataTransfer?.files.length) return;
    event.preventDefault();
    this.loadFiles(event.dataTransfer.files);
  }

  // ---- drawing

  #see(visible) {
    if (visible !== this.#shown) this.tell('model-visibility', { visible: visible && this.loaded });
    this.#shown = visible;
    if (visible) this.invalidate();
    else ticker.remove(this);
  }

  #resize() {
    const { clientWidth, clientHeight } = this.#stage;
    this.#room = [clientWidth, clientHeight];
    const scale = Math.min(globalThis.devicePixelRatio || 1, 2);
    const width = Math.round(clientWidth * scale);
    const height = Math.round(clientHeight * scale);
    if (width === this.#size.width && height === this.#size.height) return;
    this.#size = { width, height };
    this.invalidate();
  }

  get #isSeen() {
    return this.#shown && this.loaded && this.#size.width > 0;
  }

  /** Something has changed: the next frame is drawn. */
  invalidate() {
    if (this.#isSeen) ticker.add(this);
  }

  /** Draws one frame; the ticker calls it. */
  tick(now) {
    this.#drawing ??= this.#frame(now).finally(() => (this.#drawing = null));
    return this.#drawing;
  }

  get isDrawing() {
    return this.#drawing !== null;
  }

  async #frame(now) {
    const seconds = this.#last ? Math.min((now - this.#last) / 1000, 0.25) : 0;
    this.#last = now;
    try {
      const frame = await this.call('frame', { seconds, ...this.turning(seconds), ...this.#size, joints: this.watchedJoints() });
      if (frame) this.#show(frame);
    } catch (error) {
      ticker.remove(this);
      if (this.isConnected) this.#fail(error);
    }
  }

  #show(frame) {
    if (!this.loaded) return frame.bitmap.close();
    const { width, height } = frame.bitmap;
    if (this.#canvas.width !== width || this.#canvas.height !== height) Object.assign(this.#canvas, { width, height });
    this.#canvas.getContext('bitmaprenderer').transferFromImageBitmap(frame.bitmap);
    if (!this.modelIsVisible && this.reveal !== 'manual') this.dismissPoster();
    for (const note of frame.notes) {
      this.facts.notes.push(note);
      this.tell('note', { text: note });
    }
    this.takeView(frame, this.#room);
    this.takePlayback(frame);
    this.drawn = (this.drawn ?? 0) + 1;
    const rests = !frame.playing && !frame.moved && !frame.again && !this.isTurning;
    if (rests && !this.changed) {
      ticker.remove(this);
      this.#last = 0;
    }
    this.changed = false;
  }

  // ---- what the other files need

  /** Calls a method of the session. */
  call(method, ...args) {
    return this.#remote ? this.#remote.call(method, ...args) : Promise.resolve(null);
  }

  /** Calls a method of the viewer, and draws. */
  async ask(method, ...args) {
    if (WHOLE_ONLY.includes(method) && this.facts?.build === 'core') {
      // Where nothing was begun there is nothing to end.
      if (!args.some(Boolean)) return undefined;
      await this.useWhole();
    }
    this.changed = true;
    const value = await this.call('call', method, ...args);
    this.invalidate();
    return value;
  }

  /** Dispatches an event. */
  tell(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** Says something to those who do not see. */
  announce(text) {
    this.#quiet.textContent = text;
  }

  get canvas() {
    return this.#canvas;
  }

  get size() {
    return this.#size;
  }

  // ---- poster and words

  #showPoster() {
    this.modelIsVisible = false;
    this.#poster.hidden = !this.poster;
    if (this.poster) this.#poster.style.backgroundImage = `url("${encodeURI(this.poster)}")`;
  }

  /** Shows the model in the place of the poster. */
  dismissPoster() {
    this.modelIsVisible = true;
    this.#poster.hidden = true;
    this.tell('poster-dismissed');
    this.tell('model-visibility', { visible: true });
  }

  showPoster() {
    this.#showPoster();
  }

  #describe() {
    const name = this.alt ?? this.facts?.name ?? '3D model';
    const moving = this.hasAttribute('camera-controls');
    this.#canvas.setAttribute('aria-label', moving ? `${name}. Arrow keys turn it, plus and minus zoom.` : name);
    if (moving) this.#canvas.tabIndex = 0;
    else this.#canvas.removeAttribute('tabindex');
  }
}

for (const name of TEXTS) {
  Object.defineProperty(SinewViewer.prototype, camel(name), {
    configurable: true, enumerable: true,
    get() {
      return this.getAttribute(name);
    },
    set(value) {
      if (value === null || value === undefined) this.removeAttribute(name);
      else this.setAttribute(name, String(value));
    },
  });
}
for (const name of BOOLEANS) {
  Object.defineProperty(SinewViewer.prototype, camel(name), {
    configurable: true, enumerable: true,
    get() {
      return this.hasAttribute(name);
    },
    set(value) {
      this.toggleAttribute(name, Boolean(value));
    },
  });
}

if (!customElements.get('sinew-viewer')) customElements.define('sinew-viewer', SinewViewer);
