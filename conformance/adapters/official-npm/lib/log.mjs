/** The neutral log and surface of the protocol over a real session. */

import { observed } from './failure.mjs';
import { toHostMessage, toNeutralMessage } from './messages.mjs';

const MESSAGE_EVENTS = { user: 'user/message', assistant: 'assistant/message', tool: 'tool/result' };

const DERIVED = new Set(Object.values(MESSAGE_EVENTS));

/** The number of the turn that is open, or of the last one. */
export function turnOf(session) {
  return session.events.findLast((event) => event.type === 'turn/start')?.data.turn ?? 0;
}

/** Whether a turn is open; one that a former process left open is not. */
export function inTurn(session) {
  const edge = session.events.findLast(
    (event) => event.type === 'turn/start' || event.type === 'turn/end',
  );
  return edge?.type === 'turn/start' && edge.seq >= session.firstLiveSeq;
}

/** Appends one neutral event and returns its place in the log. */
export function appendEvent(session, event) {
  return observed(() => append(session, event)).seq;
}

function append(session, event) {
  switch (event.type) {
    case 'message':
      return appendMessage(session, event);
    case 'turn/start':
      return session.append('turn/start', { turn: turnOf(session) + 1 });
    case 'turn/end':
      return session.append('turn/end', { turn: turnOf(session), reason: { kind: 'completed' } });
    case 'todo/write':
      return session.append('todo/write', { todos: event.todos });
    default:
      return session.append(event.name, {});
  }
}

function appendMessage(session, { message, replaces }) {
  const host = toHostMessage(message);
  const place = replaces === undefined ? { surfaceOp: 'append' } : replacement(session, replaces);
  return session.append(MESSAGE_EVENTS[message.kind], eventData(session, message, host), place);
}

const eventData = (session, { kind }, message) =>
  kind === 'user' ? message : { turn: turnOf(session), step: stepOf(session), message };

const stepOf = (session) =>
  session.events.findLast((event) => event.type === 'step/start')?.data.step ?? 1;

/** The surface operation of a replacement, with every node that it hides as a source. */
function replacement(session, { from, to }) {
  const { nodes } = session.surface;
  const hidden = nodes.slice(nodes.indexOf(from), nodes.indexOf(to) + 1);
  return {
    surfaceOp: { op: 'replace', start: from, end: to },
    // The range is judged before the sources, so a range that is not there
    // still meets the session's own words about the range.
    sourceEventSeqs: hidden.length === 0 ? [from] : hidden,
  };
}

/** The neutral events of a session after a place in its log. */
export const readLog = (session, after = -1) =>
  session.events.filter(({ seq }) => seq > after).map(toNeutralEvent);

function toNeutralEvent(event) {
  const { seq, type, data } = event;
  if (DERIVED.has(type)) return { seq, type: 'message', ...messagePart(event) };
  if (type === 'turn/start' || type === 'turn/end') return { seq, type };
  if (type === 'todo/write') return { seq, type, todos: data.todos };
  return { seq, type: 'other', name: type };
}

function messagePart({ type, data, surfaceOp }) {
  const message = toNeutralMessage(type === 'user/message' ? data : data.message);
  if (typeof surfaceOp !== 'object') return { message };
  return { message, replaces: { from: surfaceOp.start, to: surfaceOp.end } };
}

/** What the model would be sent, in order, each message with its node. */
export function readSurface(session) {
  return session.surface.nodes.flatMap((seq) => {
    const message = session.deriveEventMessage(session.events[seq]);
    return message === null ? [] : [{ ...toNeutralMessage(message), seq }];
  });
}
