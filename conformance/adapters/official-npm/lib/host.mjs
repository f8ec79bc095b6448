/** One composition: the real services, the real plugins, the agents and their logs. */

import { Context } from '@deepseek-ai/cordis';
import { AgentRegistry } from '@deepseek-ai/dsh-agent';
import { SessionStore } from '@deepseek-ai/dsh-session';
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt';
import { ToolRuntime } from '@deepseek-ai/dsh-tools';

import { HostAgent } from './agent.mjs';
import { invalidParams, loaded, messageOf, observed, unsupported } from './failure.mjs';
import { pluginNamed, serviceNamed } from './plugins.mjs';

const BASE = [SessionStore, SystemPrompt, ToolRuntime, AgentRegistry];

const report = (line) => process.stderr.write(`${line}\n`);

/** The running composition that the methods of the protocol act on. */
export class Host {
  root = new Context();
  #plugins = new Map();
  #services = new Set();
  #agents = new Map();
  #stored;

  /** A composition over the session logs that a former one left, not yet loaded. */
  constructor(stored = new Map()) {
    this.#stored = stored;
    this.root.logger.exporter({ export: (message) => report(logLine(message)) });
  }

  /** Loads the host, then the services, then the plugins, each in the order given. */
  async load({ plugins, services }) {
    for (const service of BASE) await this.root.plugin(service, {});
    for (const service of services) await this.mount(service);
    for (const plugin of plugins) await this.#loadPlugin(plugin);
  }

  async #loadPlugin({ name, config }) {
    const { module, services } = pluginNamed(name);
    for (const service of services) {
      if (!this.#services.has(service)) await this.mount(service);
    }
    const fiber = this.root.plugin(module, config);
    this.#plugins.set(name, fiber);
    await loaded(fiber);
  }

  /** Brings a service up on the composition as it stands. */
  async mount(name) {
    const service = serviceNamed(name);
    this.#services.add(name);
    await loaded(this.root.plugin(service, {}));
  }

  /** Takes a plugin down; what it brought along stays. */
  unload(name) {
    const fiber = this.#plugins.get(name);
    if (fiber === undefined) throw invalidParams(`plugin ${JSON.stringify(name)} is not loaded`);
    this.#plugins.delete(name);
    contain(fiber.dispose());
  }

  /** A service of the host, or nothing while it is not mounted. */
  service(name) {
    return this.root.get(name);
  }

  /** Creates an agent on a new session, or on the log that the session left. */
  createAgent(name, sessionId = name) {
    if (this.#agents.get(name)?.live) throw invalidParams(`agent ${JSON.stringify(name)} is live`);
    for (const agent of this.#agents.values()) {
      if (agent.live && agent.session.id === sessionId) {
        throw unsupported('this host has one live agent a session');
      }
    }
    return observed(() => {
      const agent = new HostAgent(this.root, this.#session(sessionId));
      agent.publish(this.root);
      this.#agents.set(name, agent);
      return agent;
    });
  }

  #session(id) {
    const stored = this.#stored.get(id);
    const options = stored && { ...structuredClone(stored), seedSource: 'persistence' };
    return this.service('sessions').prepare(id, options);
  }

  /** An agent by the runner's name; a disposed one still shows its log. */
  agent(name) {
    const agent = this.#agents.get(name);
    if (agent === undefined) throw invalidParams(`unknown agent ${JSON.stringify(name)}`);
    return agent;
  }

  /** Starts the end of an agent; a producer that never settles may hold it for ever. */
  disposeAgent(name) {
    const agent = this.agent(name);
    contain(agent.dispose());
    this.#store(agent.session);
  }

  #store({ id, header, events }) {
    this.#stored.set(id, structuredClone({ meta: header, seed: [...events] }));
  }

  /** The logs of all sessions as a storage would hold them now. */
  storedLogs() {
    for (const { live, session } of this.#agents.values()) if (live) this.#store(session);
    return this.#stored;
  }

  /** Starts the end of everything; nobody waits for a producer that never settles. */
  tearDown() {
    contain(this.root.fiber.dispose());
  }
}

/** Lets work go on by itself; its failure is worth a line, not the process. */
function contain(work) {
  Promise.resolve(work).catch((error) => report(`teardown: ${messageOf(error)}`));
}

const logLine = ({ type, name, args }) => `${type} ${name}: ${args.map(messageOf).join(' ')}`;
