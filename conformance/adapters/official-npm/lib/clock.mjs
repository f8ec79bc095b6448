/**
 * Virtual time over Node's own mock timers, and quiescence in real time.
 *
 * The mock runs every timer that is due in one synchronous sweep. Work that a
 * timer wakes may start another timer that is due as well, so time moves from
 * one due moment to the next and the woken work runs in between.
 */

import { mock } from 'node:test';

const realSetImmediate = setImmediate;

// A promise chain ends within one turn of the event loop however long it is;
// the further turns are for work that itself hands over with setImmediate.
const DRAIN_TURNS = 4;

/** Lets all ready work finish: microtasks, settled promises, woken waiters. */
export async function quiesce() {
  for (let turn = 0; turn < DRAIN_TURNS; turn += 1) {
    await new Promise((resolve) => realSetImmediate(resolve));
  }
}

// Node's own timers count whole milliseconds, at least one; the mock takes any
// number, and a fraction of a millisecond would then get into the time stamps.
const LONGEST_DELAY = 2 ** 31 - 1;

const asNodeCounts = (delay) => (delay >= 1 && delay <= LONGEST_DELAY ? Math.trunc(delay) : 1);

/** The process clock: at 0 after each restart, moved by hand. */
export class VirtualClock {
  #due = new Set();
  #started = false;

  /** Puts the clock to 0 and forgets every pending timer. */
  restart() {
    if (this.#started) mock.timers.reset();
    this.#started = true;
    this.#due.clear();
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 0 });
    this.#noteTimeouts();
  }

  get now() {
    return Date.now();
  }

  /** Moves time forward; everything due by then has run afterwards. */
  async advance(ms) {
    const end = this.now + ms;
    for (let next = this.#nextBy(end); next !== undefined; next = this.#nextBy(end)) {
      this.#due.delete(next);
      await this.#moveTo(next);
    }
    await this.#moveTo(end);
  }

  #noteTimeouts() {
    const mocked = globalThis.setTimeout;
    globalThis.setTimeout = (callback, delay, ...args) => {
      const whole = asNodeCounts(delay);
      this.#due.add(this.now + whole);
      return mocked(callback, whole, ...args);
    };
  }

  #nextBy(end) {
    const due = [...this.#due].filter((moment) => moment <= end);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  async #moveTo(moment) {
    const step = moment - this.now;
    if (step > 0) mock.timers.tick(step);
    await quiesce();
  }
}
