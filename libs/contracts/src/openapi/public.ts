import { Type } from 'typebox';
import {
  DECISION_HEADERS,
  IdentificationRequestSchema,
  IdentificationSchema,
  MANIFEST_HEADER,
  MAX_IDENTIFICATIONS,
  REJECTABLE_RESULTS,
  TIMEOUT_HEADER,
  VERDICT_HEADERS,
  VerificationRequestSchema,
  VerificationSchema,
} from '../identification.schema.js';
import { MAX_EXCLUSIONS, RobotsTxtRequestSchema, UserAgentTokenListRequestSchema } from '../rules.schema.js';
import { VISIT_LIMITS, VisitSchema } from '../visit.schema.js';
import { receiveDrain } from './drains.js';
import { operation, type Interface } from './operation.js';
import { BODY, oneOf, repeatableParameter, singleParameter } from './parameters.js';

export const recordVisits = operation({
  method: 'post',
  path: '/visits',
  id: 'recordVisits',
  access: 'token',
  purpose: 'report',
  tag: 'Visits',
  summary: 'Record visits',
  description: [
    `Accepts a single visit or an array of up to ${VISIT_LIMITS.items} visits. The body can be up to 5 MiB, optionally`,
    'compressed with gzip, br or zstd. Status 204 confirms that the visits are stored durably. Invalid items become dead',
    'letters and do not affect the others. If no item is valid, the response is 422. Headers with credentials are redacted.',
  ].join(' '),
  headers: {
    'Idempotency-Key': Type.String({
      description:
        'Unique key for the request. Requests with the same key and body are recorded only once within 30 days.',
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
    RateLimit: 'Number of visits remaining before the rate limit is reached. Absent if no rate limit is set.',
  },
  problems: [...BODY, 429],
});

const header = (description: string) => Type.String({ description });

const CALLER_TIMEOUT = {
  [TIMEOUT_HEADER]: header(
    'How long you wait for the response, in milliseconds. Values below 2000 limit the time for lookups. If a lookup does not ' +
      'finish in time, the result is `not_verifiable`, and the lookup continues for the next request. ' +
      'Values that are not whole numbers are ignored.',
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
    'Identifies the known agent that sent a request, and verifies it by signature (Web Bot Auth), by the',
    "operator's published IP addresses, or by reverse DNS. Accepts a single request or an array of up to",
    `${MAX_IDENTIFICATIONS} requests. Returns the results in the same order. Responds within two seconds.`,
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
    'Like `identifyAgents`, but for a single request with its path, so that signatures that cover the path can also be verified.',
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
    'For use with `auth_request` in nginx, `forward_auth` in Caddy, `forwardAuth` in Traefik, `ext_authz` in Envoy, and Lua in',
    "HAProxy. The proxy forwards the visitor's headers and sends the project's access token in the Authorization header. Status",
    "204 lets the request through. All other responses with the header `Agent-Traffic-Result` are for the visitor. The project's",
    'policy determines the response. If no live rule matches, the latest saved robots.txt rules apply: status 403 blocks agents on',
    'disallowed paths. Without a policy and saved rules, all requests are let through, as are those for `/robots.txt`. Visits are',
    'not recorded.',
  ].join(' '),
  query: {
    refuse: repeatableParameter(
      'Identification result whose agents are blocked on all paths',
      oneOf(REJECTABLE_RESULTS),
    ),
    status: singleParameter(
      'Status of all responses other than 204 that are for the visitor, for proxies that understand only this one. The status ' +
        'for the visitor is then in `Agent-Traffic-Status`, and the text in `Agent-Traffic-Message`.',
      oneOf(['403']),
    ),
  },
  // Caddy appends the visitor's query string by default.
  ignoresOtherQuery: true,
  hasVisitorHeaders: true,
  headers: {
    'X-Original-URI': header(
      'Request path and query, sent by nginx. Either this header or X-Forwarded-Uri is required.',
    ),
    'X-Original-Method': header('Request method, sent by nginx'),
    'X-Forwarded-Uri': header('Request path and query, sent by Caddy and Traefik'),
    'X-Forwarded-Method': header('Request method, sent by Caddy and Traefik'),
    'X-Forwarded-Host': header('Request host, which signatures can cover. Default: the Host header.'),
    'X-Forwarded-For': header('IP addresses sent by the visitor, followed by the client address'),
  },
  status: 204,
  answerHeaders: { ...VERDICT_HEADERS, ...DECISION_HEADERS },
  textAnswers: {
    301: 'Permanent redirect to the path in `Location`',
    308: 'Permanent redirect to the path in `Location`, with the same method',
    402: 'The agent has to pay. The text contains the price, and `Link` the page about it.',
    403: 'The rules of the site refuse the agent',
    429: 'The agent has sent too many requests. `Retry-After` contains the number of seconds to wait.',
  },
  problems: [403, 422, 504],
  problemDescriptions: {
    401: 'The credential is missing, unknown, revoked, or lacks the purpose',
    403: "Blocked by the project's policy (as text) or by its saved rules. Includes the same headers as 204.",
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
    'Returns lines to append to a robots.txt file (RFC 9309) that disallow a path for agents of the given types. Each token',
    'gets its own block, and the blocks are sorted by token. Agents without a robots.txt token are skipped. A leading slash',
    `is added to the path if it is missing, and \`#\` and spaces are percent-encoded. You can exclude up to ${MAX_EXCLUSIONS} agents and`,
    `${MAX_EXCLUSIONS} operators. Refresh the rules regularly, for example once a day. The license line comes first. Content`,
    'signals and content usage are added to a group for `*`, and to every other group that is still allowed to fetch anything.',
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
    'Returns the tokens of all agents of the given types, sorted. If `format` is a web server, returns a configuration',
    'snippet that blocks these agents by User-Agent. A comment in the snippet explains how to use it.',
  ].join(' '),
  body: UserAgentTokenListRequestSchema,
  bodyFault: 'The request body must be a request for a list of user agent tokens.',
  answer: Type.Array(Type.String(), { examples: [['ClaudeBot', 'GPTBot']] }),
  otherMediaType: 'text/plain',
  problems: [...BODY, 429, 504],
});

export const getSnapshot = operation({
  method: 'get',
  path: '/snapshot',
  id: 'getSnapshot',
  access: 'token',
  purpose: 'ask',
  tag: 'Agents',
  summary: 'Download a snapshot for deciding in the process of the site',
  description: [
    'Returns the catalog, the key directories that the instance has cached, and the settings and rules of the project.',
    'The `@agent-traffic/engine` package identifies agents and applies the rules with it. The response is compressed with',
    'gzip if the client accepts it. The manifest in the response header is also part of a 304 response, so the snapshot',
    'can be used for another ten minutes.',
  ].join(' '),
  headers: {
    'If-None-Match': header('ETag of the current snapshot. If it is unchanged, the response is 304 without content.'),
  },
  answer: Type.Unsafe<string>({ type: 'object', description: 'Content of the snapshot, in a format for the engine' }),
  mediaType: 'application/json',
  answerHeaders: {
    ETag: 'Hash of the content',
    [MANIFEST_HEADER]:
      'Compact JSON Web Signature (RFC 7515) over the SHA-256 hash of the content, the access token, and the times of ' +
      'issue and expiry. Signed with the current key of `/.well-known/agent-traffic-statement-keys.json`.',
  },
  problems: [429, 504],
});

export const PUBLIC_OPERATIONS = [
  recordVisits,
  receiveDrain,
  identifyAgents,
  verifyAgent,
  verifyForwardedRequest,
  getSnapshot,
  generateRobotsTxt,
  listUserAgentTokens,
];

export const PUBLIC_INTERFACE: Interface = {
  title: 'Agent Traffic API for sites',
  description:
    'Report visits, identify the agent behind a request, and control which pages agents can fetch. All operations require a project access token.',
  credential: 'Project access token (`agt_…`)',
  tags: {
    Visits: 'Report requests to your site, individually or in batches.',
    Drains: 'Receive logs from CDNs, servers and log collectors.',
    Agents: 'Identify who sent a request before your site responds to it.',
    Rules: 'Control which pages agents can fetch, with robots.txt or web server configuration.',
  },
  operations: PUBLIC_OPERATIONS,
};
