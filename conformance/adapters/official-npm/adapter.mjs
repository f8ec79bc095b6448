#!/usr/bin/env node
/** The published DeepSeek Harness packages as an adapter over stdio. */

import { Bench } from './lib/bench.mjs';
import { serve } from './lib/wire.mjs';

// Standard output belongs to the protocol.
for (const level of ['log', 'info', 'debug', 'dir', 'table']) console[level] = console.error;

// A promise that a package leaves unhandled says something of the package; the
// case it belongs to shows it, and the next case needs the process.
process.on('unhandledRejection', (reason) => console.error('unhandled rejection:', reason));
process.on('uncaughtException', (error) => console.error('uncaught exception:', error));

const bench = new Bench();
await serve(process.stdin, process.stdout, {
  answer: (method, params) => bench.answer(method, params),
  ended: () => bench.ended,
});
process.exit(0);
