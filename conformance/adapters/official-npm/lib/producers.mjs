/**
 * Producers of background work that the runner plays by hand.
 *
 * A stream producer hands out what it has gathered since the last read, as the
 * packages ask of one; a producer of bytes keeps a split character back until
 * the rest of it arrives.
 */

import { StringDecoder } from 'node:string_decoder';

import { invalidParams, observed } from './failure.mjs';

/** What the producer says when it is told to refuse. */
const START_REFUSED = 'start refused';
const CANCEL_REFUSED = 'cancel refused';

const ON_CANCEL = {
  ignore() {},
  settle: (producer) => producer.settle({ status: 'killed' }),
  throw() {
    throw new Error(CANCEL_REFUSED);
  },
};

class Producer {
  reasons = [];
  #decoder = new StringDecoder('utf8');
  #pending = '';
  #resolve;
  #reject;

  constructor({ mode, onCancel = 'ignore' }) {
    this.mode = mode;
    this.onCancel = ON_CANCEL[onCancel];
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** The hooks that the registry keeps. */
  get hooks() {
    const reading = this.mode === 'stream' ? { readOutput: () => this.#drain() } : {};
    return { done: this.done, cancel: (reason) => this.#cancel(reason), ...reading };
  }

  emit(bytes) {
    this.#pending += this.#decoder.write(bytes);
  }

  emitText(text) {
    this.#pending += text;
  }

  settle(outcome) {
    this.#pending += this.#decoder.end();
    this.#resolve(outcome);
  }

  fail(message) {
    this.#reject(new Error(message));
  }

  #drain() {
    const text = this.#pending;
    this.#pending = '';
    return text;
  }

  #cancel(reason) {
    this.reasons.push(reason ?? null);
    this.onCancel(this);
  }
}

/** The producers of one composition, by the id that the registry gave. */
export class Producers {
  #producers = new Map();

  /** Starts a producer through the real registry. */
  start(host, { kind, label, owner, onStart = 'ok', ...play }) {
    const jobs = host.service('jobs');
    if (jobs === undefined) throw invalidParams('no task registry is mounted');
    const producer = new Producer(play);
    const id = observed(() =>
      jobs.start({
        kind,
        label,
        run: () => running(producer, onStart),
        ...(owner === undefined ? {} : { owner: host.agent(owner) }),
      }),
    );
    this.#producers.set(id, producer);
    return id;
  }

  emit({ id, text, base64 }) {
    const producer = this.#producer(id);
    if (base64 === undefined) producer.emitText(text);
    else producer.emit(Buffer.from(base64, 'base64'));
  }

  settle({ id, reject, ...outcome }) {
    const producer = this.#producer(id);
    if (reject === undefined) producer.settle(outcome);
    else producer.fail(reject);
  }

  /** The reasons of all cancellations so far, null where none was given. */
  cancellations({ id }) {
    return [...this.#producer(id).reasons];
  }

  #producer(id) {
    const producer = this.#producers.get(id);
    if (producer === undefined) throw invalidParams(`unknown task ${JSON.stringify(id)}`);
    return producer;
  }
}

function running(producer, onStart) {
  if (onStart === 'throw') throw new Error(START_REFUSED);
  return producer.hooks;
}
