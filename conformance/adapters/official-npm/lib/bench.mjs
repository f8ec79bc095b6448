/**
 * The methods of the protocol over one composition at a time.
 *
 * A handler acts at once. What it returns is the result, a promise of it, or a
 * function that reads it after all ready work has finished.
 */

import { VirtualClock, quiesce } from './clock.mjs';
import { configured, editionNamed, RELEASE } from './editions.mjs';
import { errorObject, invalidParams, methodNotFound } from './failure.mjs';
import { Host } from './host.mjs';
import { agentMethods, logMethods, stepMethods } from './methods-agents.mjs';
import { lifeMethods } from './methods-life.mjs';
import { taskMethods } from './methods-tasks.mjs';
import { toolMethods } from './methods-tools.mjs';
import { Producers } from './producers.mjs';
import { Steps } from './steps.mjs';
import { ToolCalls } from './tools.mjs';

const METHODS = {
  ...lifeMethods,
  ...agentMethods,
  ...logMethods,
  ...stepMethods,
  ...toolMethods,
  ...taskMethods,
  together: (bench, { calls }) => bench.together(calls),
};

/** Everything that the adapter holds between two requests. */
export class Bench {
  clock = new VirtualClock();
  edition = RELEASE;
  ended = false;
  #host;
  #plan;

  /** Answers one request once all ready work has finished. */
  async answer(method, params) {
    const outcome = this.#act(method, params);
    await quiesce();
    return orEmpty(await reportOf(outcome));
  }

  /** Runs calls in one instant; ready work is let go only after the last. */
  together(calls) {
    const outcomes = calls.map(({ method, params }) => this.#attempt(method, params ?? {}));
    return async () => ({ results: await Promise.all(outcomes.map(resultOf)) });
  }

  #act(method, params) {
    if (!Object.hasOwn(METHODS, method)) throw methodNotFound(method);
    return unwatched(METHODS[method](this, params));
  }

  #attempt(method, params) {
    try {
      return this.#act(method, params);
    } catch (error) {
      return unwatched(Promise.reject(error));
    }
  }

  /** The running composition. */
  get host() {
    if (this.#host === undefined) throw invalidParams('reset comes first');
    return this.#host;
  }

  chooseEdition(edition) {
    this.edition = editionNamed(edition);
  }

  /** A fresh composition: no agents, no log, the clock at 0. */
  async reset({ plugins, services = [] }) {
    await this.#tearDown();
    this.clock.restart();
    this.#plan = {
      plugins: plugins.map((plugin) => ({ ...plugin, config: configured(this.edition, plugin) })),
      services,
    };
    await this.#compose();
  }

  /** The same composition over the same session logs, as after a restart. */
  async reload() {
    const stored = this.host.storedLogs();
    await this.#tearDown();
    await this.#compose(stored);
  }

  async #compose(stored) {
    this.steps = new Steps();
    this.calls = new ToolCalls();
    this.producers = new Producers();
    this.#host = new Host(stored);
    await this.#host.load(this.#plan);
  }

  async #tearDown() {
    this.#host?.tearDown();
    this.#host = undefined;
    await quiesce();
  }
}

/** The outcome as it is; until it is awaited after quiescence, nobody listens to it. */
function unwatched(outcome) {
  if (outcome instanceof Promise) outcome.catch(() => {});
  return outcome;
}

const orEmpty = (result) => (result === undefined ? {} : result);

const reportOf = (outcome) => (typeof outcome === 'function' ? outcome() : outcome);

async function resultOf(outcome) {
  try {
    return { result: orEmpty(await reportOf(await outcome)) };
  } catch (error) {
    return { error: errorObject(error) };
  }
}
