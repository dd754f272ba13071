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
    `Accepts one visit or an array of up to ${VISIT_LIMITS.items}. The body can be up to 5 MiB, optionally encoded with`,
    'gzip, br or zstd. 204 confirms that the visits are stored durably. Invalid items go to the dead letters and do not',
    'affect the others. If no item is valid, the response is 422. Headers that contain credentials are redacted.',
  ].join(' '),
  headers: {
    'Idempotency-Key': Type.String({
      description: 'Unique key of the request. For 30 days, repeats with the same key and body are not recorded again.',
      minLength: 1,
      maxLength: 255,
    }),
  },
  checksBody: 'bytes',
  body: Type.Union([VisitSchema, Type.Array(VisitSchema, { maxItems: VISIT_LIMITS.items })]),
  status: 204,
  answerHeaders: {
    'X-Visits-Rejected': 'Number of invalid items. Absent if all items are valid.',
    'Idempotent-Replayed': '`true` if the same Idempotency-Key was already used with the same body',
    RateLimit: 'Remaining visits. Absent if no rate limit is set.',
  },
  problems: [...BODY, 429],
});

const header = (description: string) => Type.String({ description });

const CALLER_TIMEOUT = {
  [TIMEOUT_HEADER]: header(
    'How long you wait for the response, in milliseconds. Values below 2000 shorten lookups: if an agent has not been ' +
      'looked up in time, its result is `not_verifiable`, and the lookup continues for the next request. ' +
      'Anything but a whole number is ignored.',
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
    'Identifies the known agent that sent a request, and verifies it by its signature (Web Bot Auth), its',
    "operator's published addresses or reverse DNS. Accepts one request or an array of up to",
    `${MAX_IDENTIFICATIONS}, and returns the results in the same order. Responds within two seconds.`,
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
  description:
    'Like `identifyAgents`, but for one request and with its path, so that signatures covering the path can be verified.',
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
  summary: "Verify the sender of a proxied request and apply the project's rules",
  description: [
    "For nginx's `auth_request` and the `forward_auth` of Caddy and Traefik. The proxy forwards the visitor's headers and",
    "sends the project's access token as Authorization. 204 allows the request. Visitors that are not known agents are",
    "always allowed. 403 refuses the request: the project's latest saved rules disallow the path for the agent that the",
    'visitor claims to be. Without saved rules, every path is allowed. `/robots.txt` is always allowed. No visit is recorded.',
  ].join(' '),
  query: {
    refuse: several('Also refuses agents with this result, on all paths', oneOf(REFUSABLE_RESULTS)),
  },
  // By default, Caddy adds the visitor's query.
  ignoresOtherQuery: true,
  hasVisitorHeaders: true,
  headers: {
    'X-Original-URI': header(
      'Path and query of the request, sent by nginx. Either this header or X-Forwarded-Uri is required.',
    ),
    'X-Original-Method': header('Method of the request, sent by nginx'),
    'X-Forwarded-Uri': header('Path and query of the request, sent by Caddy and Traefik'),
    'X-Forwarded-Method': header('Method of the request, sent by Caddy and Traefik'),
    'X-Forwarded-Host': header('Host of the request, which a signature can cover. Default: the Host header.'),
    'X-Forwarded-For': header('Addresses sent by the visitor, followed by the client address'),
  },
  status: 204,
  answerHeaders: VERDICT_HEADERS,
  problems: [403, 422, 429, 504],
  problemDescriptions: {
    403: "Refused by the project's rules. Includes the same headers as 204.",
    422: 'A parameter is invalid, or the path is missing',
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
    'Returns lines to append to a robots.txt (RFC 9309) that disallow a path for agents of the given types. Each token',
    'gets its own block, sorted by token. Agents without a robots.txt token are skipped. A missing leading slash is added',
    `to the path, and \`#\` and spaces are percent-encoded. You can exclude up to ${MAX_EXCLUSIONS} agents and`,
    `${MAX_EXCLUSIONS} operators. Refresh the rules regularly, for example once a day. The license line comes first.`,
    'Content signals and content usage go into a group for `*`, and into every other group that can still fetch anything.',
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
    'Returns the tokens of all agents of the given types, sorted. With the `format` of a server, returns a configuration',
    'snippet that refuses these agents by User-Agent. A comment in it explains how to use it.',
  ].join(' '),
  body: UserAgentTokenListRequestSchema,
  bodyFault: 'The request body must be a request for a list of user agent tokens.',
  answer: Type.Array(Type.String(), { examples: [['ClaudeBot', 'GPTBot']] }),
  otherMediaType: 'text/plain',
  problems: [...BODY, 429, 504],
});

export const PUBLIC_OPERATIONS = [
  recordVisits,
  receiveDrain,
  identifyAgents,
  verifyAgent,
  verifyForwardedRequest,
  generateRobotsTxt,
  listUserAgentTokens,
];

export const PUBLIC_INTERFACE: Interface = {
  title: 'Agent Traffic API for sites',
  description:
    'Report visits, identify the agent behind a request, and control which pages agents may fetch. All operations require the access token of a project.',
  credential: 'Access token of the project, `agt_…`',
  tags: {
    Visits: 'Report the requests that your site has answered, individually or in batches.',
    Drains: 'Receive logs from CDNs, servers and log collectors.',
    Agents: 'Identify who sent a request before your site answers it.',
    Rules: 'Control which pages agents may fetch, with robots.txt or web server configuration.',
  },
  operations: PUBLIC_OPERATIONS,
};
