/** Neutral messages of the protocol to and from the messages of the packages. */

import {
  createAssistantMessage,
  createToolResultMessage,
  createUserMessage,
} from '@deepseek-ai/dsh-llm';

import { unsupported } from './failure.mjs';

// The session accepts an assistant message only with the model that wrote it.
const MODEL = { provider: 'dsh-conformance', model: 'scripted' };

const text = (value) => ({ type: 'text', text: value });

/** The package's own message object for a neutral message. */
export function toHostMessage(message) {
  switch (message.kind) {
    case 'user':
      return createUserMessage({
        content: [text(message.text)],
        source: message.source ?? { kind: 'user' },
      });
    case 'assistant':
      return createAssistantMessage({ content: assistantBlocks(message), source: MODEL });
    case 'tool':
      return createToolResultMessage({
        callId: message.call,
        content: [text(message.text)],
        isError: false,
      });
    default:
      throw unsupported(`dsh-session 0.1.0-rc.8 has no ${message.kind} message`);
  }
}

function assistantBlocks(message) {
  const calls = (message.calls ?? []).map((call) => ({ type: 'tool-call', ...call }));
  return message.text === '' ? calls : [text(message.text), ...calls];
}

/** The neutral message for a message object of the packages. */
export function toNeutralMessage(message) {
  if (message.role === 'assistant') return neutralAssistant(message);
  if (message.source.kind === 'tool') return neutralToolResult(message);
  return { kind: 'user', text: textOf(message.content), source: neutralSource(message.source) };
}

function neutralAssistant(message) {
  const calls = message.content
    .filter((block) => block.type === 'tool-call')
    .map(({ id, name, arguments: raw }) => ({ id, name, arguments: raw }));
  return {
    kind: 'assistant',
    text: textOf(message.content),
    ...(calls.length === 0 ? {} : { calls }),
  };
}

function neutralToolResult(message) {
  const [block] = message.content;
  return { kind: 'tool', text: textOf(block.content), call: block.toolCallId };
}

function neutralSource({ kind, plugin, form, summary }) {
  if (kind === 'user') return { kind };
  return {
    kind: 'plugin',
    plugin: plugin ?? kind,
    ...(form === undefined ? {} : { form }),
    ...(summary === undefined ? {} : { summary }),
  };
}

/** The text blocks of some content, joined as a reader sees them. */
export function textOf(content) {
  return content
    .filter((block) => block.type === 'text')
    .map((block) => block.text)
    .join('');
}
