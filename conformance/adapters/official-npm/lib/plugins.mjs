/** What the protocol's plugin and service names mean in the published packages. */

import LocalJobRegistry from '@deepseek-ai/dsh-jobs-local';
import SessionProjectionRegistry from '@deepseek-ai/dsh-session-projection';
import * as toolJobs from '@deepseek-ai/dsh-tool-jobs';
import * as toolTodo from '@deepseek-ai/dsh-tool-todo';

import { invalidParams, unsupported } from './failure.mjs';

const PLUGINS = {
  todo: { module: toolTodo, services: [] },
  tasks: { module: toolJobs, services: ['tasks'] },
};

const SERVICES = {
  projections: SessionProjectionRegistry,
  tasks: LocalJobRegistry,
};

const UNPUBLISHED = {
  tree: 'the tree task flow is not published as a package',
  commands: 'the published packages have no command registry',
};

/** The module of a plugin and the services that it brings along. */
export const pluginNamed = (name) => lookUp(PLUGINS, name, 'plugin');

/** The class of a service. */
export const serviceNamed = (name) => lookUp(SERVICES, name, 'service');

function lookUp(table, name, what) {
  if (Object.hasOwn(table, name)) return table[name];
  if (Object.hasOwn(UNPUBLISHED, name)) throw unsupported(UNPUBLISHED[name]);
  throw invalidParams(`unknown ${what} ${JSON.stringify(name)}`);
}

/** What a plugin's module namespace says of itself. */
export function describe(name) {
  const { module } = pluginNamed(name);
  const exports = Object.keys(module);
  return {
    name: module.name,
    inject: [...module.inject],
    exports,
    hasDefault: exports.includes('default'),
    defaults: defaultsOf(module.Config),
  };
}

/** The settings that a configuration schema fills in; none where it requires one. */
function defaultsOf(schema) {
  try {
    return { ...schema({}) };
  } catch {
    return {};
  }
}
