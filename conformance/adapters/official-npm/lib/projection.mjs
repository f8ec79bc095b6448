/** Projection values through the real registry. */

import { observed, unsupported } from './failure.mjs';
import { appendEvent } from './log.mjs';

const SCRATCH = 'projection-fold';

/** The value of one key for a session, or its absence. */
export function readProjection(host, session, key) {
  const registry = host.service('sessionProjections');
  const values = registry === undefined ? {} : observed(() => registry.snapshot(session).values);
  if (!Object.hasOwn(values, key)) return { present: false };
  return { present: true, value: values[key], stateVersion: versionOf(registry, session, key) };
}

const versionOf = (registry, session, key) => registry.checkpoint(session)[key].ver;

/**
 * The value after each event, folded by the registry over a session of its own.
 *
 * The registry tells of a change exactly when the state is another object, so
 * its silence is the sameness that the protocol asks for.
 */
export function foldProjection(host, { key, events }) {
  const registry = host.service('sessionProjections');
  if (registry === undefined) throw unsupported('no projection registry is mounted');
  return onScratchSession(host, (session) => {
    if (!Object.hasOwn(registry.snapshot(session).values, key)) {
      throw unsupported(`no projection ${JSON.stringify(key)} is registered`);
    }
    const states = events.map((event) => foldOne(registry, session, { key, event }));
    return {
      states: states.map(({ value }) => value),
      sameAsBefore: states.map(({ same }) => same),
      stateVersion: versionOf(registry, session, key),
    };
  });
}

function onScratchSession(host, action) {
  const sessions = host.service('sessions');
  const session = sessions.prepare(SCRATCH);
  const leave = sessions.enter(session);
  try {
    return observed(() => action(session));
  } finally {
    leave();
  }
}

function foldOne(registry, session, { key, event }) {
  let same = true;
  const stop = registry.onChanged((changed, changedKey) => {
    if (changed === session && changedKey === key) same = false;
  });
  try {
    appendEvent(session, event);
  } finally {
    stop();
  }
  return { same, value: registry.snapshot(session).values[key] };
}
