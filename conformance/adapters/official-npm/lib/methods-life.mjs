/** Life cycle and clock. */

import { EDITIONS, RELEASE } from './editions.mjs';
import { describe } from './plugins.mjs';

const CAPABILITIES = [
  'todo',
  'todo.projection',
  'todo.present',
  'todo.exports',
  'tasks',
  'tasks.present',
  'tasks.dispose',
  'log',
  'surface',
  'request',
];

const IMPLEMENTATION = {
  name: 'DeepSeek Harness packages',
  version: RELEASE,
  language: 'JavaScript',
  homepage: 'https://github.com/deepseek-ai/deepseek-harness',
};

export const lifeMethods = {
  initialize(bench, { edition }) {
    bench.chooseEdition(edition);
    return {
      protocolVersion: 1,
      implementation: IMPLEMENTATION,
      editions: EDITIONS,
      capabilities: CAPABILITIES,
      clock: 'virtual',
    };
  },

  reset: (bench, params) => bench.reset(params),
  reload: (bench) => bench.reload(),
  'plugin.unload': (bench, { plugin }) => bench.host.unload(plugin),
  'service.mount': (bench, { service }) => bench.host.mount(service),
  'plugin.describe': (bench, { plugin }) => describe(plugin),

  async 'clock.advance'(bench, { ms }) {
    await bench.clock.advance(ms);
    return { now: bench.clock.now };
  },

  shutdown(bench) {
    bench.ended = true;
  },
};
