/** The next model request, as the real prompt service and the session make it. */

import { assembleContextFor } from '@deepseek-ai/dsh-agent';
import { renderPrompt } from '@deepseek-ai/dsh-system-prompt';

import { toNeutralMessage } from './messages.mjs';

/** System sections, tools and messages that the agent's next request would carry. */
export async function readRequest(host, agent) {
  const messages = agent.session.deriveMessages().map(toNeutralMessage);
  const prompt = host.service('systemPrompt');
  const orders = sectionOrders(prompt, agent);
  const { sections, variables, tools } = await prompt.assemble(assembleContextFor(agent));
  return { system: renderedSections(sections, { variables, orders }), tools, messages };
}

/** The order of each section; an assembly keeps the sequence and drops the number. */
function sectionOrders(prompt, agent) {
  const sections = prompt.layers.merge(agent, (layer) => layer.sections);
  return new Map([...sections].map(([name, { order }]) => [name, order]));
}

/** The sections with any text, as the prompt itself would join them. */
function renderedSections(sections, { variables, orders }) {
  return sections
    .map((section) => ({
      name: section.name,
      order: orders.get(section.name),
      text: renderPrompt({ sections: [section], variables }),
    }))
    .filter(({ text }) => text !== '');
}
