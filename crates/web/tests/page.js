// What the tests do inside a page.

/** A tag of these attributes on the page, once its model is shown. */
globalThis.tag = async (attributes = {}, { size = [200, 200], wait = true } = {}) => {
  const element = document.createElement('sinew-viewer');
  element.heard = [];
  for (const type of ['load', 'error', 'play', 'pause', 'loop', 'finished', 'marker', 'transition', 'note', 'timeupdate', 'camera-change', 'progress']) {
    element.addEventListener(type, ({ detail }) => element.heard.push([type, detail]));
  }
  for (const [name, value] of Object.entries({ loading: 'eager', ...attributes })) element.setAttribute(name, value);
  element.style.width = `${size[0]}px`;
  element.style.height = `${size[1]}px`;
  element.style.display = 'inline-block';
  document.body.append(element);
  if (wait) {
    await element.ready;
    await drawn(element, 1);
  }
  return element;
};

/** Waits until something holds. */
globalThis.until = async (holds, what, seconds = 60) => {
  const end = performance.now() + seconds * 1000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
};

/** Waits for this many more frames. */
globalThis.drawn = (element, frames) => {
  const goal = (element.drawn ?? 0) + frames;
  const ready = () => {
    element.invalidate();
    return (element.drawn ?? 0) >= goal;
  };
  return until(ready, `${frames} frames of ${element.src}`);
};

/** How often a tag is asked to draw, in so many frames of the page. */
globalThis.ticks = async (element, frames) => {
  let count = 0;
  element.tick = (now) => {
    count += 1;
    return Object.getPrototypeOf(element).tick.call(element, now);
  };
  for (let at = 0; at < frames; at += 1) {
    await new Promise(requestAnimationFrame);
    if (element.isDrawing) count += 1;
  }
  delete element.tick;
  return count;
};

/** The share of pixels that are not seen through, and the mean of their colours: of all channels, and of each. */
globalThis.seen = async (element, options) => {
  const bitmap = await createImageBitmap(await element.toBlob(options));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  let count = 0;
  const sums = [0, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] > 16) {
      count += 1;
      for (const channel of [0, 1, 2]) sums[channel] += data[at + channel];
    }
  }
  const color = sums.map((sum) => sum / Math.max(count, 1));
  return { share: count / (data.length / 4), mean: (color[0] + color[1] + color[2]) / 3, color, width: bitmap.width };
};

/** The events of a kind. */
globalThis.heard = (element, type) => element.heard.filter(([kind]) => kind === type).map(([, detail]) => detail);
globalThis.clear = () => document.querySelectorAll('sinew-viewer').forEach((element) => element.remove());
