import { journeyCursor } from '../cursors.js';
import {
  JOURNEY_VISITORS,
  JourneySchema,
  JourneysSchema,
  JourneySummarySchema,
  MAX_SESSION_VISITS,
} from '../journey.schema.js';
import { operation, type QueryOf } from './operation.js';
import {
  AGENT_TYPE,
  cursor,
  idParameter,
  oneOf,
  parsedText,
  PROJECT,
  RANGE,
  repeatableParameter,
  singleParameter,
  wholeNumber,
  withDefault,
} from './parameters.js';

const TAG = 'Journeys';

const DEAD_END_CAUSE = parsedText('must be an error status, 4xx, 5xx, or loop', (text) =>
  /^([45]\d\d|4xx|5xx|loop)$/.test(text) ? text : null,
);

const JOURNEY_FILTERS = {
  agent: repeatableParameter('Agent token or ID'),
  type: repeatableParameter('Agent type', AGENT_TYPE),
  visitor: repeatableParameter('Kind of visitor', oneOf(JOURNEY_VISITORS)),
  entry: repeatableParameter('First page'),
  exit: repeatableParameter('Last page'),
  dead_end: singleParameter(
    'Whether the session reached a dead end. `refused` matches sessions without one, but with a visit that was refused on purpose.',
    oneOf(['yes', 'no', 'refused']),
  ),
  dead_end_page: repeatableParameter('Page of a dead end'),
  dead_end_cause: repeatableParameter(
    'Cause of a dead end on one of the pages in `dead_end_page`, or on any page: an error status such as `503`, `4xx`, `5xx`, or `loop`. Refused visits have no cause.',
    DEAD_END_CAUSE,
  ),
  checkout: singleParameter('Whether the session sent checkout messages', oneOf(['yes', 'no'])),
  min_visits: withDefault(
    singleParameter(
      `Minimum number of visits in the session, 1–${MAX_SESSION_VISITS}. Default: 1.`,
      wholeNumber(1, MAX_SESSION_VISITS),
    ),
    1,
  ),
};

/** Parsed filters. Null matches all sessions. */
export type JourneyFilters = QueryOf<{ query: typeof JOURNEY_FILTERS }>;

const COVERAGE =
  'A session contains the visits of one visitor with at most 30 minutes between them. A visitor is an agent with a ' +
  'signature key, or an agent or program in a network (/24 for IPv4, /48 for IPv6). Only agents that act at a ' +
  "person's request, coding agents, senders of MCP, ACP or UCP messages, and unknown visitors that look like programs " +
  "have sessions. Crawlers don't, because they spread their requests over many addresses.";

export const listJourneys = operation({
  method: 'get',
  path: '/api/projects/{id}/journeys',
  id: 'listJourneys',
  access: 'viewer',
  tag: TAG,
  summary: 'List the sessions that ended in a time range, newest first',
  description: `${COVERAGE} A page can contain fewer sessions than \`limit\`, or none, if few of the visits that were searched match.`,
  params: { id: PROJECT },
  query: {
    ...RANGE,
    ...JOURNEY_FILTERS,
    limit: withDefault(
      singleParameter('Maximum number of sessions per page, 1–200. Default: 50.', wholeNumber(1, 200)),
      50,
    ),
    cursor: cursor(journeyCursor.read),
  },
  answer: JourneysSchema,
  problems: [404, 422, 504],
});

export const getJourneySummary = operation({
  method: 'get',
  path: '/api/projects/{id}/journey-summary',
  id: 'getJourneySummary',
  access: 'viewer',
  tag: TAG,
  summary: 'Get the most frequent entries, exits and dead ends of sessions',
  description: `${COVERAGE} Based on the newest visits in the range. \`computed_from\` is the time from which on they are included.`,
  params: { id: PROJECT },
  query: { ...RANGE, ...JOURNEY_FILTERS },
  answer: JourneySummarySchema,
  problems: [404, 422, 504],
});

export const getJourney = operation({
  method: 'get',
  path: '/api/projects/{id}/journeys/{journeyId}',
  id: 'getJourney',
  access: 'viewer',
  tag: TAG,
  summary: 'Get a session up to a visit, with all its visits',
  description: "Returns 404 if the visit isn't stored, or if its visitor doesn't have sessions.",
  params: {
    id: PROJECT,
    journeyId: { ...idParameter('session'), description: 'ID of a visit, such as the last of a session' },
  },
  answer: JourneySchema,
  problems: [404, 504],
});

export const JOURNEY_OPERATIONS = [listJourneys, getJourneySummary, getJourney];
