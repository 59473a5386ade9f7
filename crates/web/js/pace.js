// How much care frames are drawn with, by what a device has time for.
//
// In:  whether something moves, and how long frames took. Out: the care for the next frame, and whether its time is to be taken.
//
// A quick device draws what moves with shadows, and what stays once more as well as can be; a slow one does less of both. Taking a time makes page
// and device wait for each other, so it is done for the first frames and for those that come late, and for no others.

/** With as little as looks right, as windows draw, as images are drawn. */
export const PLAIN = 0;
export const MOVING = 1;
export const BEST = 2;

/** A device that takes longer for a plain frame is not known to be quick; it has had shaders to translate, perhaps. */
const QUICK_SECONDS = 0.02;
/** A frame that takes longer is slow; so many in a row make a device slow. */
const SLOW_SECONDS = 0.04;
const SLOW_FRAMES = 4;
/** Of plain frames one in so many is timed: the device may have been busy with something else before. */
const EVERY = 32;
/** How often everyone is drawn with all care, more or less: for the image, a shadow, and each direction that light comes from; and how long that may take. */
const BEST_WORK = 66;
const LONGEST_SECONDS = 10;

export class Pace {
  /** Of the quickest plain frame, and how many of them were timed. */
  #plain = Infinity;
  #timed = 0;
  #count = 0;
  /** Frames in a row that were slow. */
  #slow = 0;
  #settled = false;

  /** Whether it is known what the device can do. */
  get #isKnown() {
    return this.#timed > 1 || this.#plain <= QUICK_SECONDS;
  }

  /** The most care that what stays is drawn with. */
  get #most() {
    return this.#isKnown && BEST_WORK * this.#plain > LONGEST_SECONDS ? PLAIN : BEST;
  }

  get #isSlow() {
    return this.#slow >= SLOW_FRAMES || this.#plain > SLOW_SECONDS;
  }

  #careFor(stays) {
    if (!this.#isKnown) return PLAIN;
    if (stays) return this.#most;
    return this.#isSlow ? PLAIN : MOVING;
  }

  /** The next frame, `seconds` after the last: `care`, whether it is `timed`, and whether another will look better `again`. */
  next(seconds, moving) {
    const care = this.#careFor(this.#settled && !moving);
    this.#settled = !moving;
    const isDue = care === PLAIN ? (this.#count += 1) % EVERY === 0 : care === MOVING && seconds > SLOW_SECONDS;
    const timed = !this.#isKnown || isDue;
    if (!timed && !this.#isSlow) this.#slow = 0;
    return { care, timed, again: !moving && care !== this.#most };
  }

  /** Something has changed: what stays is not drawn with all care yet. */
  stir() {
    this.#settled = false;
  }

  /** A frame that was timed took so long. */
  took(care, seconds) {
    if (care === PLAIN) {
      this.#plain = Math.min(this.#plain, seconds);
      this.#timed += 1;
    } else this.#slow = seconds > SLOW_SECONDS ? this.#slow + 1 : 0;
  }
}
