// The script of a page that was written for model-viewer: a shoe in colours, a figure that turns.

const shoe = document.querySelector('#shoe');
const robot = document.querySelector('#robot');
const select = document.querySelector('#variants');
globalThis.told = { shoe: [], robot: [] };
for (const [name, element] of Object.entries({ shoe, robot })) {
  for (const type of ['load', 'error', 'progress', 'model-visibility', 'poster-dismissed', 'play', 'pause', 'loop', 'finished', 'camera-change']) {
    element.addEventListener(type, (event) => told[name].push([type, event.detail]));
  }
}

shoe.addEventListener('load', () => {
  for (const name of ['default', ...shoe.availableVariants]) {
    const option = document.createElement('option');
    option.value = name;
    option.textContent = name;
    select.append(option);
  }
});
select.addEventListener('input', (event) => {
  shoe.variantName = event.target.value === 'default' ? null : event.target.value;
});
document.querySelector('#show').addEventListener('click', () => shoe.dismissPoster());
