/** Agents, log, context and steps. */

import { quiesce } from './clock.mjs';
import { appendEvent, readLog, readSurface } from './log.mjs';
import { toHostMessage, toNeutralMessage } from './messages.mjs';
import { foldProjection, readProjection } from './projection.mjs';
import { readRequest } from './request.mjs';
import { stopTurn } from './steps.mjs';

const human = (text) => toHostMessage({ kind: 'user', text });

export const agentMethods = {
  'agent.create'(bench, { agent, session }) {
    return { session: bench.host.createAgent(agent, session).id };
  },

  'agent.dispose': (bench, { agent }) => bench.host.disposeAgent(agent),
  'agent.say': (bench, { agent, text }) => bench.host.agent(agent).hear(human(text)),

  'agent.inbox'(bench, { agent }) {
    return { messages: bench.host.agent(agent).queued.map(toNeutralMessage) };
  },

  async 'agent.idle'(bench, { agent: name, queued = 0 }) {
    const agent = bench.host.agent(name);
    for (let other = 1; other <= queued; other += 1) agent.hear(human(`queued input ${other}`));
    const before = new Set(agent.queued);
    agent.events.emit('agent/status', { status: 'idle' });
    await quiesce();
    const pushed = agent.queued.filter((message) => !before.has(message));
    return { pushed: pushed.map(toNeutralMessage) };
  },
};

export const logMethods = {
  'log.append'(bench, { agent, events }) {
    const { session } = bench.host.agent(agent);
    return { seqs: events.map((event) => appendEvent(session, event)) };
  },

  'log.read'(bench, { agent, after }) {
    return { events: readLog(bench.host.agent(agent).session, after) };
  },

  'surface.read'(bench, { agent }) {
    return { messages: readSurface(bench.host.agent(agent).session) };
  },

  'request.read': (bench, { agent }) => readRequest(bench.host, bench.host.agent(agent)),

  'projection.read'(bench, { agent, key }) {
    return readProjection(bench.host, bench.host.agent(agent).session, key);
  },

  'projection.fold': (bench, params) => foldProjection(bench.host, params),
};

export const stepMethods = {
  'step.enter'(bench, { agent, ...options }) {
    const step = bench.steps.enter(bench.host.agent(agent), options);
    return () => ({ step, ...bench.steps.poll(step) });
  },

  'step.poll': (bench, { step }) => () => bench.steps.poll(step),

  'step.abort'(bench, { step }) {
    bench.steps.abort(step);
    return () => bench.steps.poll(step);
  },

  'turn.stop': (bench, { agent, aborted }) => stopTurn(bench.host.agent(agent), aborted),
};
