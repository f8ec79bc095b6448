/** The boundary before a model request: the host asks, the runner decides. */

import { invalidParams } from './failure.mjs';
import { turnOf } from './log.mjs';
import { toHostMessage } from './messages.mjs';

/** The steps of one composition. */
export class Steps {
  #steps = new Map();

  /** Claims what is queued and asks every listener; returns the step's handle. */
  enter(agent, { messages = [], aborted = false, decision = 'enter' }) {
    const handle = `step-${this.#steps.size + 1}`;
    const step = { state: 'held', controller: new AbortController(), failure: undefined };
    this.#steps.set(handle, step);
    if (aborted) step.controller.abort();
    decide(agent, step, { messages: messages.map(toHostMessage), decision });
    return handle;
  }

  /** Where the step stands. */
  poll(handle) {
    const { state, failure } = this.#step(handle);
    if (failure !== undefined) throw failure;
    return { state };
  }

  /** Cancels the turn that the step belongs to. */
  abort(handle) {
    this.#step(handle).controller.abort();
  }

  #step(handle) {
    const step = this.#steps.get(handle);
    if (step === undefined) throw invalidParams(`unknown step ${JSON.stringify(handle)}`);
    return step;
  }
}

async function decide(agent, step, { messages, decision }) {
  try {
    const { signal } = step.controller;
    const claimed = [...agent.claim(), ...messages];
    const position = { turn: turnOf(agent.session), step: 1 };
    const answer = await agent.events.waterfall(
      'agent/pre-step',
      { messages: claimed, ...position, signal },
      () => Promise.resolve({ kind: decision, messages: claimed }),
    );
    step.state = conclude(agent, signal.aborted ? { kind: 'reject' } : answer);
  } catch (error) {
    step.failure = error;
  }
}

function conclude(agent, { kind, messages }) {
  if (kind !== 'enter') return 'rejected';
  for (const message of messages) {
    agent.session.append('user/message', message, { surfaceOp: 'append' });
  }
  return 'entered';
}

/** Ends the open turn in the way the loop ends it. */
export async function stopTurn(agent, aborted) {
  if (!aborted) await agent.events.serial('agent/turn-stopping', stopping(agent));
  if (agent.status === 'idle') return;
  agent.session.append('turn/end', { turn: turnOf(agent.session), reason: endOf(aborted) });
  agent.events.emit('agent/status', { status: 'idle' });
}

const stopping = (agent) => ({
  turn: turnOf(agent.session),
  signal: new AbortController().signal,
});

const endOf = (aborted) =>
  aborted ? { kind: 'aborted', reason: { kind: 'user' } } : { kind: 'completed' };
