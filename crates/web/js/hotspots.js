// Children in slots `hotspot…` follow the model: a place, a joint, or a point of the skin.
//
//   <button slot="hotspot-1" data-position="0m 1.6m 0m" data-normal="0 0 1">
//   <button slot="hotspot-2" data-joint="hand.L" data-offset="0 0.1 0">
//   <button slot="hotspot-3" data-surface="instance primitive a b c wa wb wc">

import { make } from './style.js';
import { place, words } from './parse.js';

export class Hotspots {
  #tag;
  #list = [];

  constructor(tag) {
    this.#tag = tag;
    this.layer = make('div', { className: 'hotspots' });
  }

  /** Whether one is bound to a point of the skin. */
  get onSkin() {
    return [...this.#tag.children].some(({ slot, dataset }) => slot.startsWith('hotspot') && dataset.surface);
  }

  /** Finds the children, and gives the calls that bind them. */
  bind(jointIndex) {
    const children = [...this.#tag.children].filter((child) => child.slot.startsWith('hotspot'));
    this.#list = children;
    for (const { slot } of children) {
      if (!this.layer.querySelector(`slot[name="${CSS.escape(slot)}"]`)) this.layer.append(make('slot', { name: slot }));
    }
    const numbers = (text) => new Float32Array(place(text).map((it) => (Number.isFinite(it) ? it : 0)));
    const calls = children.map(({ dataset }) => {
      if (dataset.surface) return ['addSurface', new Float32Array(words(dataset.surface).map(Number))];
      if (dataset.joint) return ['addJoint', jointIndex(dataset.joint), numbers(dataset.offset)];
      return ['addPlace', numbers(dataset.position), numbers(dataset.normal)];
    });
    return [['clearHotspots'], ...calls];
  }

  /** Puts each where it is now: four numbers each, as the viewer gives them. */
  move(now, width, height) {
    this.#list.forEach((child, index) => {
      const [x, y, ahead, facing] = now.subarray(index * 4, index * 4 + 4);
      child.style.display = ahead ? '' : 'none';
      child.style.transform = `translate(${x * width}px, ${y * height}px) translate(-50%, -50%)`;
      child.toggleAttribute('data-visible', Boolean(ahead && facing));
    });
  }
}
