#!/usr/bin/env node
/** An adapter for dsh-conformance: JSON-RPC 2.0 over stdio, one message a line, answered in order. */

const PROTOCOL_VERSION = 1;
const EDITIONS = ['2026-08', '0.1.0-rc.8'];
// What works: 'log', 'surface', 'request', 'todo', 'tasks', … The doctor tells what to add.
const CAPABILITIES = [];

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;
const UNSUPPORTED = 1; // Yours cannot do this; data says why.
const LOAD_FAILED = 2; // Yours refused its configuration; the message is its own text.
const REJECTED = 3; // Yours refused something of the log or the task registry; its own text.

/** An answer with an error of the protocol. */
class Failure extends Error {
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const unsupported = (reason) => new Failure(UNSUPPORTED, reason, { reason });

let now = 0;
let agents = new Map();

const methods = {
  initialize: ({ edition }) => ({
    protocolVersion: PROTOCOL_VERSION,
    implementation: { name: 'my-harness', version: '0.1.0', language: 'JavaScript' },
    editions: EDITIONS,
    capabilities: CAPABILITIES,
    clock: 'virtual',
  }),

  /** Start over: no agents, no log, the clock at 0, these plugins loaded. */
  async reset({ plugins, services = [], stateDir }) {
    now = 0;
    agents = new Map();
    for (const { name, config } of plugins) {
      // WRITE HERE: load yours with config; drop the old composition first.
      throw unsupported(`plugin ${name} is not driven yet`);
    }
    return {};
  },

  /** Run calls in one instant: start them all, then let ready work go. */
  async together({ calls }) {
    const answers = calls.map(({ method, params }) => answerTo(method, params));
    return { results: await Promise.all(answers) };
  },

  /** Move the clock; run everything that is due by then. */
  'clock.advance': ({ ms }) => {
    now += ms;
    return { now };
  },

  shutdown: () => ({}),

  // WRITE HERE, one after the other; `dsh-conformance doctor` names the next one:
  //
  // 'agent.create': ({ agent, session }) => ({ session: id }),
  // 'log.append': ({ agent, events }) => ({ seqs: [the number of each event] }),
  // 'log.read': ({ agent, after = -1 }) => ({ events: [event with seq] }),
  // 'tools.list': ({ agent }) => ({ tools: [{ name, description, parameters }] }),
  // 'tools.call': async ({ agent, name, arguments: args }) =>
  //   ({ done: true, isError: false, text }),
};

/** Calls a method and returns { result } or { error }. */
async function answerTo(method, params = {}) {
  if (!Object.hasOwn(methods, method)) {
    return { error: { code: METHOD_NOT_FOUND, message: `method not found: ${method}` } };
  }
  try {
    return { result: await methods[method](params) };
  } catch (error) {
    if (error instanceof Failure) {
      return { error: { code: error.code, message: error.message, data: error.data } };
    }
    console.error(error);
    return { error: { code: INTERNAL_ERROR, message: String(error) } };
  }
}

/** Lets all ready work finish: promises that are settled, and what they wake. */
const quiescence = () => new Promise((resolve) => setImmediate(resolve));

/** Yields lines that end at LF alone: U+2028 may stand raw inside JSON. */
async function* linesOf(stream) {
  let rest = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    yield* lines;
  }
}

// Standard output belongs to the protocol.
console.log = console.error;

for await (const line of linesOf(process.stdin)) {
  const { id, method, params } = JSON.parse(line);
  const answer = await answerTo(method, params);
  await quiescence();
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
  if (method === 'shutdown') break;
}
process.exit(0);
