/** A clip of the model, or of another file. */
export interface ClipFacts {
  name: string;
  /** In seconds. */
  duration: number;
  /** The file that it came from. */
  file: string;
  /** How it was made to fit, in words. */
  fit: string;
  /** How good a retargeted clip is; `null` where nothing was retargeted. */
  quality: null | { joints: number; meanDirection: number; worstDirection: number; footSlide: number; reason: string };
  markers: { name: string; time: number }[];
  keys: Float32Array;
}

export interface ModelFacts {
  name: string;
  format: string;
  clips: ClipFacts[];
  joints: { name: string; parent: number | null }[];
  morphs: { name: string; instance: number; target: number }[];
  cameras: string[];
  notes: string[];
  vertices: number;
  triangles: number;
  backend: 'webgpu' | 'webgl';
  build: 'core' | 'full';
}

export interface Layer {
  clip: string;
  /** 1 without it. */
  weight?: number;
  /** Joints, each with all below it; all without it. */
  mask?: string[];
  additive?: boolean;
}

export interface Joint {
  readonly name: string;
  readonly index: number;
  /** Sixteen numbers, column by column, in the world, as of the last frame. */
  readonly matrix: Float32Array | null;
  read(): Promise<Float32Array>;
  /** On top of what plays: x, y, z, w. `null` ends it. */
  rotate(quaternion: ArrayLike<number> | null): Promise<void>;
  /** A place of the world in metres. `null` ends it. */
  reach(point: ArrayLike<number> | null): Promise<void>;
}

export interface Snapshot {
  state: string;
  parameters: [string, number][];
  graph: number[] | null;
}

export interface SinewViewerEventMap {
  load: CustomEvent<{ url: string | null }>;
  progress: CustomEvent<{ totalProgress: number }>;
  error: CustomEvent<{ type: 'loadfailure'; sourceError: Error }>;
  play: CustomEvent;
  pause: CustomEvent;
  loop: CustomEvent<{ count: number }>;
  finished: CustomEvent;
  timeupdate: CustomEvent<{ time: number; duration: number }>;
  marker: CustomEvent<{ name: string; time: number; clip: string; weight: number }>;
  transition: CustomEvent<{ machine: string | null; from: string | null; to: string }>;
  note: CustomEvent<{ text: string }>;
  'camera-change': CustomEvent<{ source: 'user-interaction' | 'none' }>;
  'model-visibility': CustomEvent<{ visible: boolean }>;
  'poster-dismissed': CustomEvent;
}

/** A rigged model on a web page. Attributes have the same names with dashes. */
export class SinewViewer extends HTMLElement {
  // As <model-viewer> has them.
  src: string | null;
  alt: string | null;
  poster: string | null;
  loading: 'auto' | 'lazy' | 'eager' | null;
  reveal: 'auto' | 'manual' | null;
  autoplay: boolean;
  animationName: string | null;
  /** In milliseconds. */
  animationCrossfadeDuration: string | number | null;
  cameraControls: boolean;
  cameraOrbit: string | null;
  cameraTarget: string | null;
  fieldOfView: string | null;
  autoRotate: boolean;
  autoRotateDelay: string | number | null;
  rotationPerSecond: string | null;
  skyboxImage: string | null;
  environmentImage: string | null;
  shadowIntensity: string | number | null;
  exposure: string | number | null;
  variantName: string | null;
  readonly availableAnimations: string[];
  readonly availableVariants: string[];
  readonly appendedAnimations: string[];
  currentTime: number;
  readonly duration: number;
  readonly paused: boolean;
  timeScale: number;
  readonly loaded: boolean;
  readonly modelIsVisible: boolean;
  play(options?: { repetitions?: number; pingpong?: boolean }): void;
  pause(): void;
  appendAnimation(clip: string, options?: { weight?: number }): Promise<void>;
  detachAnimation(clip: string): Promise<void>;
  getCameraOrbit(): { theta: number; phi: number; radius: number; toString(): string };
  getCameraTarget(): { x: number; y: number; z: number; toString(): string };
  getFieldOfView(): number;
  jumpCameraToGoal(): Promise<void>;
  resetTurntableRotation(): Promise<void>;
  toBlob(options?: { mimeType?: string; qualityArgument?: number; width?: number; height?: number }): Promise<Blob>;
  toDataURL(type?: string, quality?: number): string;
  dismissPoster(): void;
  showPoster(): void;

  // Beyond it.
  /** Fulfilled when the model is shown; rejected when it cannot be. */
  readonly ready: Promise<SinewViewer>;
  readonly facts: ModelFacts | null;
  /** Files whose clips are added, with spaces between them. */
  animations: string | null;
  graph: string | null;
  parameters: string | null;
  readonly parameterValues: Record<string, number>;
  setParameter(name: string, value: number | boolean): Promise<void>;
  fire(trigger: string): Promise<void>;
  /** Adds the clips of one more file; the model is opened anew where the small build has opened it. */
  addAnimations(url: string): Promise<ClipFacts[]>;
  layers: Layer[];
  /** Settles when the layers that were set last play: the first ones may load the whole build. */
  readonly layersReady: Promise<void>;
  setLayerWeight(index: number, weight: number): Promise<void>;
  /** Any of `bones names axes weights bounds path`. */
  show: string | null;
  /** The joint whose weights are shown, and that is marked among the bones. */
  selectedJoint: string | null;
  controls: boolean;
  rootMotion: 'leave' | 'remove' | 'apply' | null;
  mirror: boolean;
  skinning: 'linear' | 'dual-quaternion' | null;
  backend: 'auto' | 'webgpu' | 'webgl' | null;
  scrub: 'scroll' | null;
  background: string | null;
  /** The studio behind the model and under it, as the window has it. */
  theme: 'dark' | 'light' | null;
  /** A camera of the file, by name or number. */
  camera: string | null;
  drop: boolean;
  readonly joints: { name: string; parent: number | null }[];
  joint(name: string): Joint | null;
  readonly morphs: { readonly name: string; weight: number | null }[];
  readonly expressions: string[];
  setMorph(name: string, weight: number | null): Promise<void[]>;
  lookAt(point: ArrayLike<number> | null): Promise<void>;
  reach(joint: string, point: ArrayLike<number> | null): Promise<void>;
  bindHotspots(): Promise<void>;
  surfaceFromPoint(x: number, y: number): Promise<null | { surface: string; position: number[]; normal: number[] }>;
  loadFiles(files: Iterable<File>): Promise<void>;
  toGif(options?: { width?: number; height?: number; fps?: number; seconds?: number }): Promise<Blob>;
  /** All of the view as the end of an address. */
  state: string;
  snapshot(): Promise<Snapshot>;
  restore(snapshot: Snapshot): Promise<void>;

  addEventListener<K extends keyof SinewViewerEventMap>(
    type: K,
    listener: (this: SinewViewer, event: SinewViewerEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'sinew-viewer': SinewViewer;
  }
}
