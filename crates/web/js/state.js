// All of a view as text: for the end of an address, and to come back to.
//
// In:  a tag. Out: a fragment such as `animation=walk&time=0.5&camera-orbit=30deg+75deg+2m`; and back.

import { degrees, metres } from './parse.js';

const PLAIN = ['src', 'animations', 'graph', 'parameters', 'show', 'selected-joint', 'root-motion', 'mirror', 'skinning', 'exposure', 'shadow-intensity', 'theme', 'field-of-view', 'variant-name'];

/** The fragment of a tag, without `#`. */
export function stateOf(tag) {
  const state = new URLSearchParams();
  for (const name of PLAIN) if (tag.hasAttribute(name)) state.set(name, tag.getAttribute(name));
  if (tag.animationName) state.set('animation', tag.animationName);
  state.set('time', String(Number(tag.currentTime.toFixed(3))));
  if (tag.paused) state.set('paused', '');
  if (tag.timeScale !== 1) state.set('speed', String(tag.timeScale));
  const orbit = tag.getCameraOrbit();
  state.set('camera-orbit', `${degrees(orbit.theta)} ${degrees(orbit.phi)} ${metres(orbit.radius)}`);
  const { x, y, z } = tag.getCameraTarget();
  state.set('camera-target', [x, y, z].map(metres).join(' '));
  const layers = tag.layers.map(({ clip, weight, mask, additive }) => ({ clip, weight, mask, additive }));
  if (layers.length) state.set('layers', JSON.stringify(layers));
  const morphs = Object.entries(tag.changedMorphs);
  if (morphs.length) state.set('morphs', JSON.stringify(morphs));
  return state.toString();
}

/** Puts a tag where a fragment was. */
export async function applyState(tag, text) {
  const state = new URLSearchParams(text.replace(/^#/, ''));
  const loads = state.has('src') && state.get('src') !== tag.getAttribute('src');
  const loaded = loads ? new Promise((resolve) => tag.addEventListener('load', resolve, { once: true })) : tag.ready;
  for (const name of PLAIN) {
    if (state.has(name)) tag.setAttribute(name, state.get(name));
  }
  for (const name of ['camera-orbit', 'camera-target']) if (state.has(name)) tag.setAttribute(name, state.get(name));
  await loaded;
  if (state.has('layers')) tag.layers = JSON.parse(state.get('layers'));
  if (state.has('animation')) tag.animationName = state.get('animation');
  for (const [name, weight] of JSON.parse(state.get('morphs') ?? '[]')) tag.setMorph(name, weight);
  tag.timeScale = Number(state.get('speed') ?? 1);
  if (state.has('paused')) tag.pause();
  else if (state.has('time')) tag.play();
  if (state.has('time')) tag.currentTime = Number(state.get('time'));
  tag.jumpCameraToGoal();
}
