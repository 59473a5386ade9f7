// What a tag shows: camera, light, what is drawn over the model, its joints and morph targets; pictures of it.
//
// In:  attributes, properties and methods. Out: calls to the viewer, which draws.

import { angle, color, degrees, metres, orbit, place } from './parse.js';

const number = (text, other) => (text === null || text === '' || !Number.isFinite(Number(text)) ? other : Number(text));

export const View = (Base) => class extends Base {
  /** Two angles, distance and field of view, then what it looks at. */
  #camera = [0, 0, 0, 0, 0, 0, 0];
  #joints = new Map();
  /** Rotations of joints that the page asked for, by the joint's number. */
  #rotations = new Map();
  #morphs = [];
  #changedMorphs = {};
  #still = 0;

  // ---- attributes

  /** The calls that bring the view to what the attributes ask for; after a load, all of them. */
  viewCalls() {
    const calls = [
      ...this.#cameraCalls(),
      ['setExposure', number(this.exposure, 1)],
      ['setShadow', number(this.shadowIntensity, 0)],
      this.#backgroundCall(),
      ['jumpToGoal'],
    ];
    if (this.show) calls.push(['show', this.show], ['choose', this.#index(this.selectedJoint)]);
    if (this.camera !== null) calls.push(['setOwnCamera', this.#cameraIndex()]);
    const image = this.skyboxImage ?? this.environmentImage;
    if (image && !['neutral', 'legacy'].includes(image)) this.#setEnvironment(image);
    if (this.variantName !== null) calls.push(this.#variantCall());
    if (this.reopening) {
      for (const [index, rotation] of this.#rotations) calls.push(['rotateJoint', index, rotation]);
    } else {
      this.#joints.clear();
      this.#rotations.clear();
      this.#changedMorphs = {};
    }
    return calls;
  }

  #variantCall() {
    const found = this.availableVariants.indexOf(this.variantName);
    const known = found >= 0 || this.variantName === null || this.variantName === 'default';
    if (!known) this.tell('note', { text: `there is no variant "${this.variantName}": there are ${JSON.stringify(this.availableVariants)}` });
    return ['setVariant', found >= 0 ? found : undefined];
  }

  #backgroundCall() {
    if (this.skyboxImage || this.background === 'sky') return ['setSky'];
    if (this.theme === 'dark' || this.theme === 'light') return ['setStudio', this.theme === 'light'];
    if (this.theme) this.tell('note', { text: `theme: expected dark or light, found "${this.theme}"` });
    // What a colour is only a canvas knows, and the first takes its time.
    const found = this.background ? color(this.background) : undefined;
    if (found === null) this.tell('note', { text: `background: expected a colour, transparent or sky, found "${this.background}"` });
    return ['setBackground', found ?? undefined];
  }

  #cameraCalls() {
    const { theta, phi, radius, share } = orbit(this.cameraOrbit);
    return [['setFov', angle(this.fieldOfView)], ['setTarget', ...place(this.cameraTarget)], ['setOrbit', theta, phi, radius, share]];
  }

  /** An attribute of the view has changed. */
  applyView(name) {
    if (['camera-orbit', 'camera-target', 'field-of-view'].includes(name)) {
      this.changed = true;
      this.call('calls', this.#cameraCalls()).then(() => this.invalidate());
    } else if (name === 'exposure') this.ask('setExposure', number(this.exposure, 1));
    else if (name === 'shadow-intensity') this.ask('setShadow', number(this.shadowIntensity, 0));
    else if (name === 'background' || name === 'theme' || name === 'skybox-image' || name === 'environment-image') {
      this.ask(...this.#backgroundCall());
      this.#setEnvironment(this.skyboxImage ?? this.environmentImage);
    } else if (name === 'show') this.ask('show', this.show ?? '');
    else if (name === 'selected-joint') this.ask('choose', this.#index(this.selectedJoint));
    else if (name === 'variant-name') this.ask(...this.#variantCall());
    else if (name === 'camera') this.ask('setOwnCamera', this.#cameraIndex());
    else return false;
    return true;
  }

  #setEnvironment(image) {
    const plain = !image || ['neutral', 'legacy'].includes(image);
    this.call('environment', plain ? null : new URL(image, document.baseURI).href)
      .then(() => this.invalidate())
      .catch((error) => this.tell('note', { text: error.message }));
  }

  #cameraIndex() {
    const found = this.facts.cameras.indexOf(this.camera);
    return found >= 0 ? found : this.camera === null ? undefined : Number(this.camera);
  }

  #index(name) {
    const found = this.facts?.joints.findIndex((joint) => joint.name === name) ?? -1;
    return found < 0 ? undefined : found;
  }

  // ---- camera

  /** A person moves the camera. */
  moveCamera(method, ...args) {
    this.#still = performance.now();
    this.userMoved = true;
    this.ask(method, ...args);
  }

  get isTurning() {
    return this.autoRotate && this.loaded && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  /** How far a turntable goes in a frame. */
  turning(seconds) {
    if (!this.isTurning) return { turn: 0 };
    const delay = number(this.autoRotateDelay, 3000);
    const waits = this.#still && performance.now() - this.#still < delay;
    const speed = Number.isFinite(angle(this.rotationPerSecond)) ? angle(this.rotationPerSecond) : Math.PI / 32;
    return { turn: waits ? 0 : speed * seconds };
  }

  /** The camera is known before the first frame is. */
  takeCamera(camera) {
    this.#camera = camera;
  }

  getCameraOrbit() {
    const [theta, phi, radius] = this.#camera;
    return { theta, phi, radius, toString: () => `${degrees(theta)} ${degrees(phi)} ${metres(radius)}` };
  }

  getCameraTarget() {
    const [x, y, z] = this.#camera.slice(4);
    return { x, y, z, toString: () => [x, y, z].map(metres).join(' ') };
  }

  getFieldOfView() {
    return (this.#camera[3] * 180) / Math.PI;
  }

  /** Ends the camera's way to where it was asked to go. */
  jumpCameraToGoal() {
    return this.ask('jumpToGoal');
  }

  resetTurntableRotation() {
    return this.call('call', 'turned').then((turned) => this.ask('turnBy', -turned));
  }

  // ---- joints

  /** All joints: `{name, parent}`. */
  get joints() {
    return this.facts?.joints ?? [];
  }

  /** A joint whose `matrix` is live: sixteen numbers, column by column, in the world. */
  joint(name) {
    const index = this.#index(name);
    if (index === undefined) return null;
    if (!this.#joints.has(index)) {
      this.#joints.set(index, {
        name,
        index,
        matrix: null,
        read: () => this.call('call', 'jointMatrix', index),
        rotate: (quaternion) => this.#rotate(index, quaternion),
        reach: (point) => this.reach(name, point),
      });
    }
    this.invalidate();
    return this.#joints.get(index);
  }

  #rotate(index, quaternion) {
    if (quaternion) this.#rotations.set(index, new Float32Array(quaternion));
    else this.#rotations.delete(index);
    return this.ask('rotateJoint', index, this.#rotations.get(index));
  }

  watchedJoints() {
    return [...this.#joints.keys()];
  }

  /** The head looks at a place of the world, `[x, y, z]` in metres; nothing ends it. */
  async lookAt(point) {
    await this.useWhole();
    const head = await this.call('call', 'head');
    if (head === undefined || head === null) throw new Error('the model has no head that looks');
    return this.ask('reach', head, point ? new Float32Array(point) : undefined);
  }

  /** A joint reaches for a place of the world; nothing ends it. */
  async reach(joint, point) {
    const index = this.#index(joint);
    if (index === undefined) throw new Error(`there is no joint "${joint}"`);
    return this.ask('reach', index, point ? new Float32Array(point) : undefined);
  }

  // ---- morph targets

  /** Morph targets by name, each with its weight now; setting a weight holds it, `null` lets go. */
  get morphs() {
    const tag = this;
    return (this.facts?.morphs ?? []).map(({ name, instance, target }, at) => ({
      name,
      get weight() {
        return tag.#morphs[at] ?? 0;
      },
      set weight(weight) {
        tag.ask('setMorph', instance, target, weight ?? undefined);
      },
    }));
  }

  /** Names of all morph targets, each once: what a face can do. */
  get expressions() {
    return [...new Set((this.facts?.morphs ?? []).map(({ name }) => name))];
  }

  /** Sets all morph targets of a name. */
  setMorph(name, weight) {
    if (weight === null) delete this.#changedMorphs[name];
    else this.#changedMorphs[name] = weight;
    const all = (this.facts?.morphs ?? []).filter((morph) => morph.name === name);
    return Promise.all(all.map(({ instance, target }) => this.ask('setMorph', instance, target, weight ?? undefined)));
  }

  get changedMorphs() {
    return { ...this.#changedMorphs };
  }

  // ---- hotspots

  /** Binds the children in hotspot slots anew: after one was added or changed. */
  bindHotspots() {
    // With the whole build, they are bound when the model is loaded again.
    if (this.hotspots.onSkin && this.facts?.build === 'core') return this.useWhole();
    const joint = (name) => this.#index(name) ?? this.joints.length;
    return this.call('calls', this.hotspots.bind(joint)).then(() => {
      this.changed = true;
      this.invalidate();
    });
  }

  /** The point of the skin at a place of the page: `{surface, position, normal}`, or null. */
  async surfaceFromPoint(x, y) {
    await this.useWhole();
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const found = await this.call('call', 'surfaceAt', (x - left) / width, (y - top) / height, width / height);
    if (!found?.length) return null;
    return { surface: [...found.slice(0, 8)].join(' '), position: [...found.slice(8, 11)], normal: [...found.slice(11, 14)] };
  }

  // ---- pictures

  /** A picture as a file. */
  toBlob({ mimeType = 'image/png', qualityArgument, width, height } = {}) {
    const size = this.size;
    return this.call('image', { width: width ?? size.width, height: height ?? size.height, type: mimeType, quality: qualityArgument });
  }

  /** What is on the canvas, as a data address. */
  toDataURL(type, quality) {
    return this.canvas.toDataURL(type, quality);
  }

  /** A GIF of the clip that plays. */
  async toGif({ width = 320, height, fps = 20, seconds } = {}) {
    const shape = this.size.height / this.size.width;
    const gif = await this.call('gif', { width, height: height ?? Math.max(1, Math.round(width * shape)), fps, seconds });
    this.invalidate();
    return gif;
  }

  // ---- what a frame brings

  takeView({ camera, hotspots, joints, morphs, moved }, room) {
    const before = this.#camera;
    this.#camera = camera;
    this.#morphs = morphs;
    this.hotspots.move(hotspots, ...room);
    [...this.#joints.values()].forEach((joint, at) => (joint.matrix = joints[at] ?? joint.matrix));
    const changed = moved || [0, 1, 2, 3].some((at) => before[at] !== camera[at]);
    if (changed) {
      this.tell('camera-change', { source: this.userMoved ? 'user-interaction' : 'none' });
      if (!moved) this.userMoved = false;
    }
  }
};
