/**
 * JSON-RPC over a pair of streams, one message a line, answered in order.
 *
 * Lines end at LF alone: U+2028 and CR may stand raw inside a JSON string.
 * JSON.stringify writes a lone surrogate as an escape, so that it survives
 * UTF-8 in both directions.
 */

import { StringDecoder } from 'node:string_decoder';

import { errorObject, invalidParams } from './failure.mjs';

/** Yields the lines of a byte stream. */
export async function* linesOf(stream) {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop();
    yield* lines;
  }
  if (rest.trim() !== '') yield rest;
}

/** Answers every request of `input` on `output` until the input or `ended()` ends. */
export async function serve(input, output, { answer, ended }) {
  for await (const line of linesOf(input)) {
    if (line.trim() === '') continue;
    await send(output, await reply(line, answer));
    if (ended()) return;
  }
}

async function reply(line, answer) {
  let id = null;
  try {
    const request = parseRequest(line);
    id = request.id;
    return { jsonrpc: '2.0', id, result: await answer(request.method, request.params ?? {}) };
  } catch (error) {
    return { jsonrpc: '2.0', id, error: errorObject(error) };
  }
}

function parseRequest(line) {
  const request = JSON.parse(line);
  if (request === null || typeof request !== 'object' || typeof request.method !== 'string') {
    throw invalidParams('expected a JSON-RPC request object with a method');
  }
  return request;
}

/** Writes one message and waits until the stream has taken it. */
function send(output, message) {
  return new Promise((resolve) => {
    output.write(`${JSON.stringify(message)}\n`, resolve);
  });
}
