import { ConductSchema, MAX_CONDUCT_AGENTS, MAX_CONDUCT_DAYS, MAX_CONDUCT_VISITS } from '../conduct.schema.js';
import { operation } from './operation.js';
import { PROJECT, RANGE, repeatableParameter, singleParameter, TIME } from './parameters.js';

export const getConduct = operation({
  method: 'get',
  path: '/api/projects/{id}/conduct',
  id: 'getConduct',
  access: 'viewer',
  tag: 'Compliance',
  summary: 'Get facts about how agents crawl a site, by agent and day',
  description:
    'The figures correspond to the practices in draft-illyes-webbotauth-cbcp. They are computed from stored visits, so ' +
    `visits that arrive late are included. At most ${MAX_CONDUCT_VISITS.toLocaleString('en')} visits are read. If there ` +
    'are more, the figures of busy days are based on the first visits of the day.',
  params: { id: PROJECT },
  query: {
    from: RANGE.from,
    to: singleParameter(
      `End of the time range (exclusive, ISO 8601), at most ${MAX_CONDUCT_DAYS} days after \`from\`. Default: now.`,
      TIME,
    ),
    agent: repeatableParameter(
      `Agent token or ID. Default: the ${MAX_CONDUCT_AGENTS} agents with the most visits in the range`,
    ),
  },
  answer: ConductSchema,
  problems: [404, 422, 504],
});

export const CONDUCT_OPERATIONS = [getConduct];
