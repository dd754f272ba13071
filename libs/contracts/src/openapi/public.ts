import { Type } from 'typebox';
import {
  IdentificationRequestSchema,
  IdentificationSchema,
  MAX_IDENTIFICATIONS,
  REFUSABLE_RESULTS,
  TIMEOUT_HEADER,
  VERDICT_HEADERS,
  VerificationRequestSchema,
  VerificationSchema,
} from '../identification.schema.js';
import { MAX_EXCLUSIONS, RobotsTxtRequestSchema, UserAgentTokenListRequestSchema } from '../rules.schema.js';
import { VISIT_LIMITS, VisitSchema } from '../visit.schema.js';
import { receiveDrain } from './drains.js';
import { operation, type Interface } from './operation.js';
import { BODY, oneOf, several } from './parameters.js';

export const recordVisits = operation({
  method: 'post',
  path: '/visits',
  id: 'recordVisits',
  access: 'token',
  purpose: 'report',
  tag: 'Visits',
  summary: 'Record visits',
  description: [
    `One visit, or an array of up to ${VISIT_LIMITS.items}; a body of up to 5 MiB, also with the content encodings`,
    'gzip, br and zstd. 204 means that the visits are safe. Items that are not visits are kept as dead letters and do',
    'not cost the others; only when none is valid is the answer 422. Headers that carry credentials are redacted.',
  ].join(' '),
  headers: {
    'Idempotency-Key': Type.String({
      description: 'The same key with the same body records nothing twice, for 30 days',
      minLength: 1,
      maxLength: 255,
    }),
  },
  checksBody: 'bytes',
  body: Type.Union([VisitSchema, Type.Array(VisitSchema, { maxItems: VISIT_LIMITS.items })]),
  status: 204,
  answerHeaders: {
    'X-Visits-Rejected': 'How many items were no visit; absent when all were',
    'Idempotent-Replayed': '`true` when the Idempotency-Key was used before, with the same body',
    RateLimit: 'Visits left, where a rate limit is set',
  },
  problems: [...BODY, 429],
});

const header = (description: string) => Type.String({ description });

const CALLER_TIMEOUT = {
  [TIMEOUT_HEADER]: header(
    'Milliseconds for which you wait for the response, as a whole number; anything else is ignored. The response then comes ' +
      'earlier than in two seconds: `not_verifiable` for an agent that is still being looked up, which goes on for the next request',
  ),
};

export const identifyAgents = operation({
  method: 'post',
  path: '/agent-identifications',
  id: 'identifyAgents',
  access: 'token',
  purpose: 'ask',
  tag: 'Agents',
  summary: 'Identify agents',
  description: [
    'Which known agent sent a request with these headers, and whether that is proven: by its signature (Web Bot',
    `Auth), by the operator's published addresses or by reverse DNS. One request, or an array of up to`,
    `${MAX_IDENTIFICATIONS} that is answered in its order. The answer comes within two seconds.`,
  ].join(' '),
  headers: CALLER_TIMEOUT,
  checksBody: 'parsed',
  body: Type.Union([
    IdentificationRequestSchema,
    Type.Array(IdentificationRequestSchema, { maxItems: MAX_IDENTIFICATIONS }),
  ]),
  answer: Type.Union([IdentificationSchema, Type.Array(IdentificationSchema)]),
  problems: [...BODY, 429, 504],
});

export const verifyAgent = operation({
  method: 'post',
  path: '/agent-verifications',
  id: 'verifyAgent',
  access: 'token',
  purpose: 'ask',
  tag: 'Agents',
  summary: 'Verify an agent',
  description: 'As an identification, with the path: a signature that covers it can then be judged.',
  headers: CALLER_TIMEOUT,
  body: VerificationRequestSchema,
  bodyFault: 'The request body must be a verification request.',
  answer: VerificationSchema,
  problems: [...BODY, 429, 504],
});

export const verifyForwardedRequest = operation({
  method: 'get',
  path: '/agent-verifications/forward',
  id: 'verifyForwardedRequest',
  access: 'token',
  purpose: 'forward',
  tag: 'Agents',
  summary: "Verify the sender of a proxied request, and decide by the project's rules",
  description: [
    'For `auth_request` of nginx and `forward_auth` of Caddy and Traefik: the proxy passes on the headers of its visitor, with',
    "the project's access token as Authorization. 204: let the visitor in; everybody who is not a known agent is. 403:",
    'the newest saved rules of the project disallow the path for the agent that the visitor says it is. Nothing is disallowed',
    'before rules are saved, nor is `/robots.txt` ever. Nothing is recorded.',
  ].join(' '),
  query: {
    refuse: several('Refuse agents with this result as well, on all paths', oneOf(REFUSABLE_RESULTS)),
  },
  // Caddy adds the visitor's query unless told otherwise.
  ignoresOtherQuery: true,
  hasVisitorHeaders: true,
  headers: {
    'X-Original-URI': header('Path of the request with its query, from nginx; this or X-Forwarded-Uri is needed'),
    'X-Original-Method': header('Its method, from nginx'),
    'X-Forwarded-Uri': header('Path of the request with its query, from Caddy and Traefik'),
    'X-Forwarded-Method': header('Its method, from Caddy and Traefik'),
    'X-Forwarded-Host': header('Its host, which a signature can cover; Host when absent'),
    'X-Forwarded-For': header('The client address last, after what the visitor sent'),
  },
  status: 204,
  answerHeaders: VERDICT_HEADERS,
  problems: [403, 422, 429, 504],
  problemDescriptions: {
    403: 'The rules of the project refuse the visitor; with the same headers as 204',
    422: 'A parameter does not fit, or the request says no path',
  },
});

export const generateRobotsTxt = operation({
  method: 'post',
  path: '/robots-txts',
  id: 'generateRobotsTxt',
  access: 'token',
  purpose: 'ask',
  tag: 'Rules',
  summary: 'Generate robots.txt rules',
  description: [
    'Lines to append to a robots.txt (RFC 9309), with which agents of the types are told not to fetch a path: a block',
    'for each token, in the order of the tokens. Agents that have no token for robots.txt are left out. A path that',
    'does not start with a slash is given one; `#` and spaces in it are percent-encoded. Up to',
    `${MAX_EXCLUSIONS} names of each kind can be excluded. Ask again from time to time, such as once a day.`,
    'The license comes first. Content signals and content usage stand in a group for `*`, and again in each other group',
    'that leaves something to fetch.',
  ].join(' '),
  body: RobotsTxtRequestSchema,
  bodyFault: 'The request body must be a request for robots.txt rules.',
  answer: Type.String({ examples: ['User-agent: GPTBot\nDisallow: /\n'] }),
  mediaType: 'text/plain',
  problems: [...BODY, 429, 504],
});

export const listUserAgentTokens = operation({
  method: 'post',
  path: '/user-agent-token-lists',
  id: 'listUserAgentTokens',
  access: 'token',
  purpose: 'ask',
  tag: 'Rules',
  summary: 'List user agent tokens',
  description: [
    'The tokens of all agents of the types, in their order. With a `format` for a server the answer is a part of its',
    'configuration that refuses these agents by their User-Agent, with how to use it in a comment.',
  ].join(' '),
  body: UserAgentTokenListRequestSchema,
  bodyFault: 'The request body must be a request for a list of user agent tokens.',
  answer: Type.Array(Type.String(), { examples: [['ClaudeBot', 'GPTBot']] }),
  otherMediaType: 'text/plain',
  problems: [...BODY, 429, 504],
});

/** Operations that sites call. */
export const PUBLIC_OPERATIONS = [
  recordVisits,
  receiveDrain,
  identifyAgents,
  verifyAgent,
  verifyForwardedRequest,
  generateRobotsTxt,
  listUserAgentTokens,
];

/** API for sites. */
export const PUBLIC_INTERFACE: Interface = {
  title: 'Agent Traffic API for sites',
  description:
    'For sites: report visits, ask who sent a request, and tell agents what they may fetch. Every operation takes the access token of a project.',
  credential: "The project's access token, `agt_…`",
  tags: {
    Visits: 'What your site reports: each request that it answered, one or many at a time.',
    Drains: 'What a CDN, a server or a collector of logs sends automatically.',
    Agents: 'Who sent a request, before your site answers it.',
    Rules: 'What agents may fetch, as robots.txt or as a part of the configuration of a web server.',
  },
  operations: PUBLIC_OPERATIONS,
};
