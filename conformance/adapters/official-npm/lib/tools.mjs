/** Tool calls through the real registry, with a handle for those that wait. */

import { invalidParams } from './failure.mjs';
import { textOf } from './messages.mjs';

/** The calls of one composition. */
export class ToolCalls {
  #calls = new Map();

  /** Starts a call and returns its handle. */
  start(host, { agent, name, arguments: args }) {
    const handle = `call-${this.#calls.size + 1}`;
    const controller = new AbortController();
    const call = { controller, result: undefined, failure: undefined };
    this.#calls.set(handle, call);
    settle(call, host.service('tools').execute({
      callId: handle,
      name,
      arguments: args,
      signal: controller.signal,
      ...(agent === undefined ? {} : { agent: host.agent(agent) }),
    }));
    return handle;
  }

  /** The result so far. */
  poll(handle) {
    const { result, failure } = this.#call(handle);
    if (failure !== undefined) throw failure;
    return result === undefined ? { done: false, call: handle } : neutralResult(result);
  }

  /** Cancels the call on its caller's behalf. */
  abort(handle) {
    this.#call(handle).controller.abort();
  }

  #call(handle) {
    const call = this.#calls.get(handle);
    if (call === undefined) throw invalidParams(`unknown call ${JSON.stringify(handle)}`);
    return call;
  }
}

function settle(call, execution) {
  execution.then(
    (result) => {
      call.result = result;
    },
    (error) => {
      call.failure = error;
    },
  );
}

function neutralResult({ isError, content, value }) {
  const result = { done: true, isError, text: textOf(content) };
  return value === undefined ? result : { ...result, value };
}

/** The card of a pending call, or null where the tool shows none. */
export function presentCall(host, { name, arguments: args }) {
  const tool = host.service('tools').get(name);
  if (tool === undefined) throw invalidParams(`unknown tool ${JSON.stringify(name)}`);
  return tool.presentCall?.(args) ?? null;
}

/** The tools as an agent, or nobody in particular, sees them. */
export const listTools = (host, { agent }) =>
  host.service('tools').schemas(agent === undefined ? undefined : host.agent(agent));
