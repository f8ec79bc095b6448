/** Tools. */

import { listTools, presentCall } from './tools.mjs';

export const toolMethods = {
  'tools.list'(bench, params) {
    return { tools: listTools(bench.host, params) };
  },

  'tools.call'(bench, params) {
    const call = bench.calls.start(bench.host, params);
    return () => bench.calls.poll(call);
  },

  'tools.poll': (bench, { call }) => () => bench.calls.poll(call),

  'tools.abort'(bench, { call }) {
    bench.calls.abort(call);
    return () => bench.calls.poll(call);
  },

  'tools.present': (bench, params) => presentCall(bench.host, params),
};
