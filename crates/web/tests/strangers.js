// The script of a page that was written for model-viewer.

const modelViewer = document.querySelector('#first');
globalThis.story = [];

modelViewer.addEventListener('progress', (event) => story.push(['progress', event.detail.totalProgress]));
modelViewer.addEventListener('load', () => {
  story.push(['load', modelViewer.availableAnimations.length]);
  modelViewer.timeScale = 2;
  const names = modelViewer.availableAnimations;
  setTimeout(() => {
    modelViewer.animationName = names[names.length - 1];
    modelViewer.play({ repetitions: 1 });
  }, 400);
});
modelViewer.addEventListener('finished', () => {
  story.push(['finished', modelViewer.paused]);
  modelViewer.currentTime = 0;
  modelViewer.cameraOrbit = '90deg 60deg 2m';
});
modelViewer.addEventListener('camera-change', (event) => story.push(['camera-change', event.detail.source]));
