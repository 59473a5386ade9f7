// The tests: names are sentences, bodies run in a page. `tag`, `seen`, `heard`, `until`, `drawn` and `ticks` are in page.js.

const formats = ['ossi.glb', 'ossi.gltf', 'ossi.fbx', 'walk.bvh', 'triangle.obj', 'triangle.dae', 'triangle.md5mesh', 'bones.skeleton_anim'];

const draws = (backend) => ({
  args: { backend },
  body: async ({ backend: wanted }) => {
    const element = await tag({ src: 'files/ossi.glb', backend: wanted });
    const { share } = await seen(element);
    if (element.facts.backend !== wanted) throw new Error(`drawn by ${element.facts.backend}`);
    if (!(share > 0.04 && share < 0.6)) throw new Error(`${share} of the picture is seen`);
    return `${wanted}, ${(100 * share).toFixed(1)} % of the picture`;
  },
});

const comesBack = (backend) => ({
  args: { backend },
  body: async ({ backend: wanted }) => {
    const element = await tag({ src: 'files/ossi.glb', backend: wanted });
    const before = (await seen(element)).share;
    await element.call('lose');
    await new Promise((resolve) => setTimeout(resolve, 200));
    await drawn(element, 2);
    const after = (await seen(element)).share;
    if (Math.abs(before - after) > 0.01) throw new Error(`${before} before, ${after} after`);
    if (!heard(element, 'note').some(({ text }) => text.includes('lost'))) throw new Error('nobody was told');
  },
});

export const short = {
  'WebGPU draws a model': draws('webgpu'),
  'WebGL2 draws a model': draws('webgl'),

  'clips play, pause and jump, and events come once': {
    body: async () => {
      const element = await tag({ src: 'files/ossi.glb', autoplay: '', 'animation-name': 'walk' });
      if (!element.availableAnimations.includes('run')) throw new Error(element.availableAnimations.join());
      await until(() => element.currentTime > 0.1, 'time runs');
      if (!heard(element, 'timeupdate').length) throw new Error('no timeupdate');
      element.pause();
      await drawn(element, 2);
      const stopped = element.currentTime;
      await new Promise((resolve) => setTimeout(resolve, 300));
      if (element.currentTime !== stopped || !element.paused) throw new Error('it goes on');
      element.currentTime = 0.5;
      await drawn(element, 2);
      if (Math.abs(element.currentTime - 0.5) > 1e-4) throw new Error(`at ${element.currentTime}`);
      element.heard.length = 0;
      element.timeScale = 4;
      element.currentTime = 0;
      element.play({ repetitions: 2 });
      await until(() => heard(element, 'finished').length, 'the end');
      await new Promise((resolve) => setTimeout(resolve, 200));
      const count = (type) => heard(element, type).length;
      if (count('finished') !== 1 || count('loop') !== 1) throw new Error(`${count('loop')} loops, ${count('finished')} ends`);
      if (!element.paused || Math.abs(element.currentTime - element.duration) > 1e-3) throw new Error(`${element.currentTime} of ${element.duration}`);
    },
  },

  'nothing is drawn when nothing changes or nothing is seen': {
    body: async () => {
      const element = await tag({ src: 'files/ossi.glb' });
      // A model that stays is drawn once more, with more care. However slow a frame is: one is asked for, or none is.
      const rests = () => until(async () => (await ticks(element, 5)) === 0, 'it rests');
      const asked = async (what) => {
        const count = await ticks(element, 30);
        if (count) throw new Error(`asked ${count} times to draw ${what}`);
      };
      await rests();
      await asked('a still model');
      const before = element.drawn;
      element.autoplay = true;
      await until(() => element.drawn > before + 2, 'it plays');
      element.style.marginTop = '5000px';
      await rests();
      await asked('what nobody sees');
      if (element.paused) throw new Error('it does not play any more');
      element.style.marginTop = '';
      const away = element.drawn;
      await until(() => element.drawn > away + 2, 'it is seen again');
    },
  },

  'a slow device is known after its second frame, and draws what moves without shadows': {
    // Without a worker, so that the page can say how long the device takes.
    page: '/alone.html',
    body: async () => {
      const gl = WebGL2RenderingContext.prototype;
      const { drawElementsInstanced, fenceSync } = gl;
      const made = new WeakMap();
      let [draws, wait] = [0, 0];
      gl.fenceSync = function (...all) {
        const fence = fenceSync.apply(this, all);
        made.set(fence, performance.now());
        return fence;
      };
      gl.getSyncParameter = function (fence) {
        return performance.now() - made.get(fence) < wait ? this.UNSIGNALED : this.SIGNALED;
      };
      gl.drawElementsInstanced = function (...all) {
        draws += 1;
        return drawElementsInstanced.apply(this, all);
      };
      const each = async (milliseconds) => {
        wait = milliseconds;
        const element = await tag({ src: 'files/ossi.glb', backend: 'webgl', autoplay: '' });
        await drawn(element, 2);
        const before = element.drawn;
        draws = 0;
        await drawn(element, 3);
        const count = draws / (element.drawn - before);
        element.remove();
        return count;
      };
      const [slow, quick] = [await each(100), await each(0)];
      if (!(slow > 0 && quick > 5 * slow)) throw new Error(`${slow} draws a frame on a slow device, ${quick} on a quick one`);
      return `${slow.toFixed(1)} draws a frame, else ${quick.toFixed(1)}`;
    },
  },

  'a bad file is an event and a sentence, and the page lives on': {
    errors: true,
    body: async ({ other }) => {
      const words = [];
      for (const src of ['files/nothing.glb', 'files/broken.glb', 'files/picture.glb', `${other}/files/ossi.glb`]) {
        const element = await tag({ src }, { wait: false });
        await until(() => heard(element, 'error').length, `an error for ${src}`);
        const shown = element.shadowRoot.querySelector('.message');
        if (shown.hidden || !shown.textContent) throw new Error(`${src}: nothing is said`);
        words.push(shown.textContent.slice(0, 60));
        element.src = 'files/ossi.glb';
        await until(() => heard(element, 'load').length, 'the next model');
        if (!shown.hidden) throw new Error('the sentence stays');
        element.remove();
      }
      return words.join(' | ');
    },
  },

  'a page written for model-viewer works': {
    page: '/strangers.html',
    errors: true,
    body: async () => {
      const element = document.querySelector('#first');
      const has = (kind) => story.some(([it]) => it === kind);
      await until(() => has('load') && has('finished') && has('camera-change'), 'load, finished and camera-change');
      const orbit = element.getCameraOrbit();
      await until(() => Math.abs(element.getCameraOrbit().theta - Math.PI / 2) < 0.02, 'the camera goes there');
      if (Math.abs(element.getCameraOrbit().radius - 2) > 0.05) throw new Error(`${orbit}`);
      const spot = element.querySelector('.Hotspot');
      if (!spot.style.transform) throw new Error('the hotspot is nowhere');
      return story.filter(([kind], at) => story.findIndex(([it]) => it === kind) === at).map(([kind]) => kind).join(', ');
    },
  },

  'every attribute, property and method of model-viewer is there': {
    page: '/gallery.html',
    body: async () => {
      const shoe = document.querySelector('#shoe');
      const robot = document.querySelector('#robot');
      const has = (name, type) => told[name].some(([it]) => it === type);
      const check = (holds, what) => {
        if (!holds) throw new Error(what);
      };
      await until(() => has('shoe', 'load'), 'the shoe');
      check(shoe.loaded && !shoe.modelIsVisible && !has('shoe', 'poster-dismissed'), 'reveal="manual" waits for a person');
      document.querySelector('#show').click();
      await until(() => shoe.modelIsVisible && has('shoe', 'poster-dismissed') && has('shoe', 'model-visibility'), 'the poster goes');
      check([...document.querySelector('#variants').options].map(({ value }) => value).join() === 'default,meadow,sea', 'the list of variants');
      const blue = (await seen(shoe)).color;
      check(blue[2] > blue[0] && blue[2] > blue[1], `the variant "sea" is ${blue}`);
      check(/deg .*deg .*m$/.test(shoe.getCameraOrbit().toString()), shoe.getCameraOrbit().toString());
      check(shoe.getCameraTarget().toString() === '0m 1m 0m', shoe.getCameraTarget().toString());
      check(Math.abs(shoe.getFieldOfView() - 40) < 0.1, `${shoe.getFieldOfView()}`);
      shoe.cameraOrbit = '45deg 60deg 5m';
      shoe.jumpCameraToGoal();
      await until(() => Math.abs(shoe.getCameraOrbit().radius - 5) < 1e-3, 'the camera jumps');
      check((await shoe.toBlob({ mimeType: 'image/jpeg', qualityArgument: 0.8, idealAspect: true })).type === 'image/jpeg', 'toBlob');
      check(shoe.toDataURL().startsWith('data:image/png'), 'toDataURL');
      await until(() => shoe.querySelector('button').style.transform, 'the hotspot');
      robot.scrollIntoView();
      await until(() => has('robot', 'load') && has('robot', 'play') && robot.modelIsVisible, 'the figure, once it is near');
      check(robot.availableAnimations.length > 3 && robot.duration > 0 && !robot.paused, 'its clips');
      const before = (await robot.call('call', 'turned'));
      await until(async () => Math.abs((await robot.call('call', 'turned')) - before) > 0.02, 'it turns');
      robot.timeScale = 3;
      robot.animationName = 'walk';
      await until(() => has('robot', 'loop'), 'a loop');
      await robot.appendAnimation('wave', { weight: 0.5, fade: 0.2 });
      check(robot.appendedAnimations.join() === 'wave', 'one more clip');
      await robot.detachAnimation('wave', { fade: 0.2 });
      robot.pause();
      await until(() => has('robot', 'pause') && robot.paused, 'the pause');
      robot.currentTime = 0;
      robot.play({ repetitions: 1, pingpong: true });
      await until(() => has('robot', 'finished'), 'the end');
      robot.resetTurntableRotation();
      check(!has('shoe', 'error') && !has('robot', 'error'), 'no errors');
    },
  },

  'the page of the guide works': {
    page: '/guide.html',
    body: async () => {
      const hero = document.querySelector('#hero');
      await until(() => location.hash.includes('layers'), 'its script');
      if (hero.facts.clips.length < 7) throw new Error(`${hero.facts.clips.length} clips`);
      if (!hero.querySelector('button').style.transform) throw new Error('the label is nowhere');
    },
  },

  'the controls are for keyboards and screen readers too': {
    body: async () => {
      const element = await tag({ src: 'files/ossi.glb', controls: '', 'animation-name': 'walk', alt: 'Ossi', 'camera-controls': '' }, { size: [700, 400] });
      const { bar, play, scrubber } = element.barOfControls;
      if (bar.hidden || play.getAttribute('aria-label') !== 'play') throw new Error('no button');
      play.click();
      await until(() => element.currentTime > 0.05, 'it plays');
      if (play.getAttribute('aria-label') !== 'pause') throw new Error('the button still says play');
      play.click();
      scrubber.value = 500;
      scrubber.dispatchEvent(new Event('input'));
      await drawn(element, 2);
      if (Math.abs(element.currentTime - element.duration / 2) > 0.01) throw new Error(`at ${element.currentTime}`);
      const canvas = element.shadowRoot.querySelector('canvas');
      if (!canvas.getAttribute('aria-label').startsWith('Ossi') || canvas.tabIndex !== 0) throw new Error('the canvas has no words');
      const before = element.getCameraOrbit().theta;
      canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
      await until(() => element.getCameraOrbit().theta > before + 0.2, 'the arrow turns it');
      if (!heard(element, 'camera-change').some(({ source }) => source === 'user-interaction')) throw new Error('nobody was told');
    },
  },
};

export const long = {
  'every format opens': {
    args: { formats },
    body: async ({ formats: names }) => {
      const found = [];
      for (const name of names) {
        const element = await tag({ src: `files/${name}` });
        const { share } = await seen(element);
        if (!(share > 0.002)) throw new Error(`${name}: ${share} of the picture is seen`);
        found.push(`${name} ${element.facts.format} ${(100 * share).toFixed(1)} %`);
        element.remove();
      }
      return found.join(', ');
    },
  },

  'clips of other files are bound or retargeted': {
    body: async () => {
      const element = await tag({ src: 'files/ossi.glb', animations: 'files/walk.bvh files/nothing-of-the-kind.bvh' });
      const added = element.facts.clips.filter((clip) => clip.file.includes('walk.bvh'));
      if (!added.length || !added[0].fit) throw new Error(JSON.stringify(element.facts.clips.map(({ name, file }) => [name, file])));
      if (!heard(element, 'note').some(({ text }) => text.includes('nothing-of-the-kind'))) throw new Error('the missing file is no note');
      element.animationName = added[0].name;
      element.play();
      await until(() => element.currentTime > 0.1, 'it plays');
      return added[0].fit;
    },
    errors: true,
  },

  'markers are heard exactly once': {
    body: async () => {
      const element = await tag({ src: 'sinew:ossi', 'animation-name': 'walk' });
      const clip = element.facts.clips.find(({ name }) => name === 'walk');
      if (!clip.markers.length) throw new Error('the clip has no markers');
      element.play({ repetitions: 3 });
      await until(() => heard(element, 'finished').length, 'the end');
      const count = heard(element, 'marker').length;
      if (Math.abs(count - 3 * clip.markers.length) > 1) throw new Error(`${count} of 3 × ${clip.markers.length}`);
      return `${count} markers`;
    },
  },

  'a marker at the very end is heard once in each repetition': {
    body: async () => {
      const element = await tag({ src: 'files/markers.glb', 'animation-name': 'step' });
      element.play({ repetitions: 3 });
      await until(() => heard(element, 'finished').length, 'the end');
      await new Promise((resolve) => setTimeout(resolve, 300));
      const names = heard(element, 'marker').map(({ name }) => name);
      const count = (wanted) => names.filter((name) => name === wanted).length;
      if (count('end') !== 3 || count('middle') !== 3 || count('begin') !== 3) throw new Error(names.join(' '));
      if (names.at(-1) !== 'end') throw new Error(`the last is ${names.at(-1)}`);
    },
  },

  'images of light are environments': {
    body: async () => {
      const element = await tag({ src: 'files/ossi.glb' });
      const plain = (await seen(element)).color;
      const redder = ([red, , blue]) => red - blue;
      const found = [plain.map(Math.round).join()];
      const light = async (image, holds) => {
        element.environmentImage = image;
        for (let tries = 0; tries < 10; tries += 1) {
          await new Promise((resolve) => setTimeout(resolve, 300));
          const { color } = await seen(element);
          found.push(`${image} ${color.map(Math.round)}`);
          if (holds(redder(color) - redder(plain))) return;
        }
        throw new Error(found.join(' | '));
      };
      await light('files/red.hdr', (change) => change > 30);
      await light('files/blue.exr', (change) => change < -30);
      await light(null, (change) => Math.abs(change) < 1);
      if (heard(element, 'note').length) throw new Error(JSON.stringify(heard(element, 'note')));
    },
  },

  'materials that move and copies of a mesh are read': {
    body: async () => {
      const element = await tag({ src: 'files/rare.glb', autoplay: '' });
      const copies = element.joints.length;
      if (copies !== 4) throw new Error(`expected a node and three copies, found ${copies}`);
      const strongest = async (time) => {
        element.currentTime = time;
        await drawn(element, 2);
        const { color } = await seen(element);
        return ['red', 'green', 'blue'][color.indexOf(Math.max(...color))];
      };
      element.pause();
      const found = `${await strongest(0)} ${await strongest(0.9)}`;
      if (found !== 'red green') throw new Error(found);
    },
  },

  'variants change materials': {
    body: async () => {
      const element = await tag({ src: 'files/variants.glb', 'variant-name': 'sea' });
      if (element.availableVariants.join() !== 'meadow,sea') throw new Error(element.availableVariants.join());
      const strongest = async () => {
        await drawn(element, 2);
        const { color } = await seen(element);
        return ['red', 'green', 'blue'][color.indexOf(Math.max(...color))];
      };
      const seenFirst = await strongest();
      element.variantName = 'meadow';
      const then = await strongest();
      element.variantName = null;
      const last = await strongest();
      if (`${seenFirst} ${then} ${last}` !== 'blue green red') throw new Error(`${seenFirst} ${then} ${last}`);
      element.variantName = 'desert';
      await until(() => heard(element, 'note').some(({ text }) => text.includes('desert') && text.includes('meadow')), 'a note');
    },
  },

  'Basis Universal textures are drawn': {
    body: async () => {
      for (const backend of ['webgpu', 'webgl']) {
        const element = await tag({ src: 'files/basis.glb', backend });
        const { color } = await seen(element);
        if (!(color[1] > color[0] + 60 && color[1] > color[2] + 60)) throw new Error(`${backend}: ${color}`);
        if (heard(element, 'note').length) throw new Error(JSON.stringify(heard(element, 'note')));
        element.remove();
      }
    },
  },

  'a skeleton of a .skeleton_anim moves': {
    body: async () => {
      const element = await tag({ src: 'files/bones.skeleton_anim', controls: '' });
      const knee = element.joint('knee');
      const before = await knee.read();
      element.currentTime = element.duration;
      await drawn(element, 2);
      const after = await knee.read();
      const near = (matrix, x, y) => Math.hypot(matrix[12] - x, matrix[13] - y, matrix[14]) < 1e-3;
      if (!near(before, 0, 1) || !near(after, 1, 0)) throw new Error(`${before.slice(12, 15)}, then ${after.slice(12, 15)}`);
    },
  },

  'morph targets are set by name and by number': {
    body: async () => {
      const element = await tag({ src: 'files/morphs.glb', 'camera-orbit': '0deg 90deg 12m' });
      if (element.expressions.join() !== 'wide,tall' || element.morphs.length !== 2) throw new Error(element.expressions.join());
      const share = async () => {
        await drawn(element, 2);
        return (await seen(element)).share;
      };
      const plain = await share();
      await element.setMorph('wide', 1);
      const wide = await share();
      if (element.morphs[0].weight !== 1) throw new Error(`the weight is ${element.morphs[0].weight}`);
      element.morphs[1].weight = 1;
      const both = await share();
      await element.setMorph('wide', null);
      element.morphs[1].weight = null;
      const again = await share();
      const near = (a, b) => Math.abs(a / b - 1) < 0.05;
      if (!near(wide, 3 * plain) || !near(both, 6 * plain) || !near(again, plain)) throw new Error(`${plain}, ${wide}, ${both}, ${again}`);
    },
  },

  'layers, graphs, parameters and triggers': {
    body: async () => {
      const element = await tag({ src: 'files/ossi.glb', autoplay: '', 'animation-name': 'idle' });
      const heights = () => Promise.all(['hand.L', 'hand.R', 'foot.L'].map(async (name) => (await element.joint(name).read())[13]));
      const before = await heights();
      element.layers = [{ clip: 'wave', mask: ['spine'], weight: 1 }];
      await element.layersReady;
      const gaps = async () => (await heights()).map((height, at) => Math.abs(height - before[at]));
      await until(async () => Math.max(...(await gaps()).slice(0, 2)) > 0.2, 'a hand waves');
      const [, , foot] = await gaps();
      if (foot > 0.05) throw new Error(`a foot moved by ${foot} m`);
      await element.setLayerWeight(0, 0);
      element.remove();
      const graph = await tag({ src: 'files/ossi.glb', graph: 'files/legs.toml', parameters: 'speed=0' });
      await graph.setParameter('speed', 1);
      await until(() => heard(graph, 'transition').some(({ to }) => to === 'walk'), 'it walks');
      await graph.fire('jump');
      await until(() => heard(graph, 'transition').some(({ to }) => to === 'jump'), 'it jumps');
      const snapshot = await graph.snapshot();
      await graph.restore(snapshot);
      return JSON.stringify(graph.parameterValues);
    },
  },

  'joints, morph targets, gaze and reach': {
    body: async () => {
      const element = await tag({ src: 'files/ossi.glb' });
      const hand = element.joint('hand.L');
      const goal = [0.3, 1.2, 0.3];
      await hand.reach(goal);
      const at = await hand.read();
      const gap = Math.hypot(at[12] - goal[0], at[13] - goal[1], at[14] - goal[2]);
      if (gap > 0.01) throw new Error(`the hand is ${gap} m away`);
      await until(() => hand.matrix && Math.abs(hand.matrix[12] - at[12]) < 1e-3, 'the live matrix');
      const head = element.joint('head');
      const before = await head.read();
      await element.lookAt([2, 1.6, 2]);
      await drawn(element, 3);
      const after = await head.read();
      if (Math.abs(before[8] - after[8]) < 0.1) throw new Error('the head does not turn');
      if (element.joint('no such joint') !== null) throw new Error('found a joint that is not there');
      if (element.joints.length < 50) throw new Error(`${element.joints.length} joints`);
    },
  },

  'bones, names, axes, bounds, path and weights are drawn': {
    body: async () => {
      const element = await tag({ src: 'files/ossi.glb', 'animation-name': 'walk' }, { size: [300, 300] });
      const plain = await seen(element);
      for (const word of ['bones', 'names', 'axes', 'bounds', 'path', 'weights']) {
        element.show = word;
        await drawn(element, 2);
        const { share, mean } = await seen(element);
        if (Math.abs(share - plain.share) < 1e-4 && Math.abs(mean - plain.mean) < 0.05) throw new Error(`${word} changes nothing`);
      }
      element.show = 'bones names';
      await drawn(element, 2);
    },
  },

  'pictures, GIFs and the state of a view': {
    body: async () => {
      const element = await tag({ src: 'files/ossi.glb', 'animation-name': 'walk' });
      const png = await element.toBlob();
      if (png.type !== 'image/png' || png.size < 1000) throw new Error(`${png.type} of ${png.size}`);
      const gif = await element.toGif({ width: 80, fps: 5, seconds: 1 });
      const head = new TextDecoder().decode((await gif.arrayBuffer()).slice(0, 6));
      if (head !== 'GIF89a') throw new Error(head);
      element.cameraOrbit = '40deg 60deg 3m';
      element.currentTime = 0.4;
      await until(() => Math.abs(element.getCameraOrbit().radius - 3) < 1e-3, 'the camera');
      const state = element.state;
      const twin = await tag({}, { wait: false });
      twin.state = state;
      await until(() => twin.loaded && Math.abs(twin.currentTime - 0.4) < 1e-3 && Math.abs(twin.getCameraOrbit().radius - 3) < 1e-3, 'the twin');
      return state;
    },
  },

  'hotspots follow joints and points of the skin': {
    body: async () => {
      const element = await tag({ src: 'files/ossi.glb', autoplay: '', 'animation-name': 'walk' }, { size: [300, 400] });
      const { left, top } = element.getBoundingClientRect();
      const found = await element.surfaceFromPoint(left + 150, top + 200);
      if (!found) throw new Error('no surface in the middle');
      for (const [slot, data] of [['hotspot-hand', { joint: 'hand.L' }], ['hotspot-skin', { surface: found.surface }]]) {
        const spot = Object.assign(document.createElement('button'), { slot, textContent: slot });
        Object.assign(spot.dataset, data);
        element.append(spot);
      }
      await element.bindHotspots();
      await drawn(element, 3);
      const first = [...element.children].map((spot) => spot.style.transform);
      await drawn(element, 10);
      const second = [...element.children].map((spot) => spot.style.transform);
      if (first.some((text, at) => !text || text === second[at])) throw new Error(`${first} stay`);
    },
  },

  'without a worker the page draws itself': {
    page: '/alone.html',
    body: async () => {
      if ('Worker' in globalThis) throw new Error('there is a worker');
      const element = await tag({ src: 'files/ossi.glb', autoplay: '' });
      if (!((await seen(element)).share > 0.04)) throw new Error('nothing is seen');
    },
  },

  'scrolling drives a clip': {
    body: async () => {
      document.body.style.height = '3000px';
      const element = await tag({ src: 'files/ossi.glb', 'animation-name': 'walk', scrub: 'scroll' });
      await drawn(element, 1);
      const before = element.currentTime;
      scrollTo(0, 60);
      await until(() => element.currentTime > before + 0.02, 'time follows');
      if (!element.paused) throw new Error('it runs by itself');
    },
  },

  'attributes change what is seen': {
    body: async () => {
      const element = await tag({ src: 'files/ossi.glb' });
      const plain = await seen(element);
      const differs = async (name, value) => {
        element.setAttribute(name, value);
        await drawn(element, 2);
        await element.jumpCameraToGoal();
        const { share, mean } = await seen(element);
        if (Math.abs(share - plain.share) < 1e-3 && Math.abs(mean - plain.mean) < 0.3) throw new Error(`${name}="${value}" changes nothing`);
        element.removeAttribute(name);
        await drawn(element, 2);
        await element.jumpCameraToGoal();
      };
      await differs('camera-orbit', '90deg 40deg 60%');
      await differs('camera-target', '0.5m 1m 0m');
      await differs('field-of-view', '60deg');
      await differs('exposure', '0.3');
      await differs('shadow-intensity', '1');
      await differs('background', '#336699');
      await differs('theme', 'dark');
      await differs('theme', 'light');
      await differs('skybox-image', 'files/ossi_ossi_colour.png');
      element.setAttribute('background', 'no colour at all');
      await until(() => heard(element, 'note').length, 'a note');
      element.mirror = true;
      element.rootMotion = 'remove';
      element.skinning = 'dual-quaternion';
      await until(() => heard(element, 'load').length === 2, 'the model with other skinning');
    },
  },

  'a dropped file is opened': {
    body: async () => {
      const element = await tag({ drop: '' }, { wait: false });
      const bytes = await (await fetch('files/ossi.glb')).arrayBuffer();
      const files = new DataTransfer();
      files.items.add(new File([bytes], 'ossi.glb'));
      element.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
      await until(() => element.loaded, 'the dropped model');
    },
  },

  'a lost WebGPU device comes back': comesBack('webgpu'),
  'a lost WebGL2 context comes back': comesBack('webgl'),

  'twenty tags share one device': {
    body: async () => {
      const all = [];
      for (let at = 0; at < 20; at += 1) all.push(await tag({ src: 'files/ossi.glb', autoplay: '' }, { size: [120, 120], wait: false }));
      await until(() => all.every((element) => element.loaded && element.drawn > 1), 'all twenty', 120);
      const shares = await Promise.all(all.slice(0, 3).map((element) => seen(element)));
      if (shares.some(({ share }) => share < 0.02)) throw new Error('one is empty');
      clear();
    },
  },

  'the viewer takes dropped files': {
    page: '/viewer/index.html',
    body: async () => {
      const words = document.querySelector('#words');
      const wait = (holds, what) => new Promise((resolve, reject) => {
        const end = Date.now() + 60000;
        const look = () => (holds() ? resolve() : Date.now() > end ? reject(new Error(`waited in vain: ${what}; the page says "${words.textContent}"`)) : setTimeout(look, 50));
        look();
      });
      await wait(() => words.textContent === '', 'the program');
      const bytes = await (await fetch('/files/ossi.fbx')).arrayBuffer();
      const data = new DataTransfer();
      data.items.add(new File([bytes], 'dropped.fbx'));
      dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      await wait(() => document.title.includes('dropped'), 'the title of the dropped model');
      return document.title;
    },
  },

  'memory after fifty models is that after ten': {
    body: async () => {
      const element = await tag({ src: 'files/ossi.glb?0' });
      const change = async (at) => {
        element.heard.length = 0;
        element.src = `files/ossi.glb?${at}`;
        await until(() => heard(element, 'load').length, `model ${at}`);
        await drawn(element, 1);
      };
      // One model comes while another is still on its way to the GPU, sooner or later; and what is made once is made.
      for (let at = 1; at < 10; at += 1) await change(at);
      const before = await element.call('memory');
      for (let at = 10; at < 50; at += 1) await change(at);
      const after = await element.call('memory');
      if (!before || after > before * 1.05) throw new Error(`${before} bytes, then ${after}`);
      return `${(before / 2 ** 20).toFixed(1)} MB, then ${(after / 2 ** 20).toFixed(1)} MB`;
    },
  },
};
