/**
 * An agent with the real inbox, the real scope and a driver that waits.
 *
 * The published loop needs a model and a newer Node, and it runs a woken agent
 * to the end by itself. This driver stops where the loop would ask its host
 * before a step, and leaves the step to the runner. Everything that a plugin
 * can see until then is as in the loop: which list a message joins, the status,
 * and the turn that a wake-up opens in the log.
 */

import { agentEvents, Inbox } from '@deepseek-ai/dsh-agent';
import { createScope } from '@deepseek-ai/dsh-scope';

import { inTurn, turnOf } from './log.mjs';

/** One live agent on one session. */
export class HostAgent {
  #scope;
  #detach;
  // Messages that opened a turn. The loop would have taken them by now, so they
  // come first; until the runner decides the step they stay in the inbox, where
  // a restart finds them.
  #woke = new Set();

  constructor(root, session) {
    this.id = session.id;
    this.session = session;
    this.events = agentEvents(root, this);
    this.inbox = new Inbox(session, this.#notifications());
    this.#scope = createScope(root, this);
    this.ctx = this.#scope.ctx.extend({ agent: this });
  }

  /** Enters the agent and its session into the real registries. */
  publish(root) {
    const sessions = root.get('sessions');
    const agents = root.get('agents');
    const leaveSessions = sessions.enter(this.session);
    const leaveAgents = this.#enterOr(leaveSessions, agents);
    this.#detach = () => {
      leaveAgents();
      leaveSessions();
    };
    sessions.announce(this.session);
    agents.announce(this);
  }

  #enterOr(leaveSessions, agents) {
    try {
      return agents.enter(this, undefined);
    } catch (error) {
      leaveSessions();
      throw error;
    }
  }

  /** Whether the registries still know this agent. */
  get live() {
    return this.#detach !== undefined;
  }

  get status() {
    return inTurn(this.session) ? 'running' : 'idle';
  }

  followup(message) {
    this.inbox.append('next-turn', message);
    this.#wake(message);
  }

  steer(message) {
    this.inbox.append('next-step', message);
    this.#wake(message);
  }

  inject(message) {
    this.inbox.append('next-step', message);
  }

  /** Queues what a person wrote; the runner says when the turn begins. */
  hear(message) {
    this.inbox.append('next-turn', message);
  }

  /** What waits for a step, in the order in which a step takes it. */
  get queued() {
    return this.#wokeFirst([...this.inbox.nextStep, ...this.inbox.nextTurn]);
  }

  /** Takes everything that the first step of a turn takes. */
  claim() {
    const batch = [];
    do batch.push(...this.inbox.claim('next-turn', turnOf(this.session)));
    while (this.inbox.nextTurn.some(({ id }) => this.#woke.has(id)));
    return this.#wokeFirst(batch);
  }

  /** Unwinds the scope, then leaves the registries, as the loop's lifecycle does. */
  async dispose() {
    this.inbox.clear();
    try {
      await this.#scope.dispose();
    } finally {
      this.#detach?.();
      this.#detach = undefined;
    }
  }

  #wokeFirst(messages) {
    const woke = messages.filter(({ id }) => this.#woke.has(id));
    return [...woke, ...messages.filter(({ id }) => !this.#woke.has(id))];
  }

  /** Opens a turn, unless one is open. */
  #wake({ id }) {
    if (this.status === 'running') return;
    this.#woke.add(id);
    this.session.append('turn/start', { turn: turnOf(this.session) + 1 });
    this.events.emit('agent/status', { status: 'running' });
  }

  #notifications() {
    return {
      inserted: (message) => this.events.emit('agent/inbox/inserted', { message }),
      discarded: (message) => this.events.emit('agent/inbox/discarded', { message }),
      claimed: (message, turn) => this.events.emit('agent/inbox/claimed', { message, turn }),
    };
  }
}
