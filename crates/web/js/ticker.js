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
      for (const tag of this.#tags) tag.tick(now);
      this.#ask();
    });
  }
}
