// One clock for all tags of a page: runs only while one of them has something to draw.

export class Ticker {
  #tags = new Set();
  #asked = false;

  add(tag) {
    this.#tags.add(tag);
    this.#ask();
  }

  remove(tag) {
    this.#tags.delete(tag);
  }

  #ask() {
    if (this.#asked || !this.#tags.size) return;
    this.#asked = true;
    requestAnimationFrame((now) => {
      this.#asked = false;
      // A tag that is still being drawn is not asked again before it is done.
      const drawing = [...this.#tags].map((tag) => tag.tick(now));
      Promise.race(drawing).then(() => this.#ask());
    });
  }
}
