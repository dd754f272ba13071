import { gzipSync } from 'node:zlib';
import { BROWSER, GOOGLEBOT } from '../kit/client.js';
import { VECTORS } from '../kit/vectors.js';

/** Request to the public API. The body is sent as JSON unless it's a string or buffer. */
export interface GoldenRequest {
  name: string;
  path: string;
  method?: 'POST' | 'GET' | 'PUT' | 'OPTIONS';
  /**
   * Headers to send along with the access token and `content-type: application/json`. Null omits one of these defaults.
   */
  headers?: Record<string, string | null>;
  body?: unknown;
}

const visit = (extra: object = {}) => ({
  request_path: '/articles/1?page=2',
  request_method: 'GET',
  request_headers: {
    'User-Agent': GOOGLEBOT,
    'x-forwarded-for': '66.249.66.1, 10.0.0.1',
    Referer: 'https://example.com/',
  },
  ...extra,
});

const VISITS: GoldenRequest[] = [
  { name: 'one visit without an array', body: visit() },
  { name: 'an array', body: [visit(), visit({ request_headers: { 'user-agent': BROWSER } })] },
  { name: 'nothing', body: [] },
  {
    name: 'every field, and one that nobody knows',
    body: [
      visit({
        created: '2026-01-02T03:04:05.678Z',
        client_address: '66.249.66.1',
        response_status_code: 404,
        response_headers: { 'content-type': 'text/html' },
        response_duration_in_milliseconds: 12.5,
        mcp_request_method: 'tools/call',
        mcp_request_tool_name: 'search',
        mcp_request_client_info_name: 'client',
        mcp_request_client_info_version: '1.0',
        mcp_response_result_is_error: false,
        mcp_response_error_code: -32_000,
        mcp_response_error_message: 'no',
        acp_response_body: { id: 'a', total: 1 },
        ucp_response_body: { id: 'u' },
        note: { deep: [1, 'two', null] },
      }),
    ],
  },
  {
    name: 'credentials',
    body: [
      visit({
        request_path: '/a?token=secret&b=1',
        request_headers: {
          authorization: 'Bearer secret',
          cookie: 'a=b',
          'x-api-key': 'secret',
          'user-agent': 'curl/8.5.0',
        },
      }),
    ],
  },
  { name: 'an item that is not a visit', body: [visit(), { request_path: 7 }, visit({ response_status_code: 'x' })] },
  { name: 'null', body: null },
  { name: 'text', body: 'visits' },
  { name: 'a signed request', body: [visit({ request_headers: VECTORS[0]!.body.request_headers })] },
  { name: 'compressed', headers: { 'content-encoding': 'gzip' }, body: gzipSync(JSON.stringify([visit()])) },
  { name: 'an encoding that is not taken', headers: { 'content-encoding': 'compress' }, body: '[]' },
].map((request) => ({ path: '/visits', ...request }));

const IDENTIFICATIONS: GoldenRequest[] = [
  { name: 'one of a known agent', body: { request_headers: visit().request_headers } },
  {
    name: 'a forged address',
    body: { id: 'f', request_headers: { 'user-agent': GOOGLEBOT, 'x-forwarded-for': '198.51.100.1' } },
  },
  {
    name: 'the address of the peer',
    body: { id: 'p', request_headers: { 'user-agent': GOOGLEBOT }, client_address: '66.249.66.1' },
  },
  {
    name: 'an array',
    body: [
      { id: 'a', request_headers: { 'user-agent': BROWSER } },
      { request_headers: { 'user-agent': 'curl/8.5.0' } },
      { id: '', request_headers: {} },
      { id: null, request_headers: { 'user-agent': ['GPTBot/1.2', 'x'] } },
      {
        id: 'b',
        request_headers: { 'USER-AGENT': 'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)' },
      },
    ],
  },
  { name: 'nothing', body: [] },
  { name: 'no headers', body: {} },
  { name: 'invalid ids', body: [{ id: 7, request_headers: {} }, { request_headers: 'none' }] },
  { name: 'null', body: null },
].map((request) => ({ path: '/agent-identifications', ...request }));

const VERIFICATIONS: GoldenRequest[] = [
  { name: 'a known agent', body: { request_path: '/', request_headers: visit().request_headers } },
  { name: 'nobody', body: { request_path: '/nested/path', request_headers: { 'user-agent': BROWSER } } },
  { name: 'no path', body: { request_headers: { 'user-agent': GOOGLEBOT } } },
  { name: 'an array', body: [{ request_path: '/', request_headers: {} }] },
].map((request) => ({ path: '/agent-verifications', ...request }));

const GOOGLEBOT_FORWARDED = { 'user-agent': GOOGLEBOT, 'x-forwarded-for': '66.249.66.1' };
const FORWARDED: GoldenRequest[] = (
  [
    { name: 'a known agent', headers: { ...GOOGLEBOT_FORWARDED, 'x-original-uri': '/a?b' } },
    { name: 'nobody', headers: { 'user-agent': BROWSER, 'x-forwarded-uri': '/' } },
    { name: 'no path', headers: GOOGLEBOT_FORWARDED },
    {
      name: 'refused',
      headers: { 'user-agent': 'curl/8.5.0', 'x-original-uri': '/' },
      query: '?refuse=not_verifiable',
    },
    { name: 'an unknown result', headers: { 'x-original-uri': '/' }, query: '?refuse=everybody&a=b' },
    { name: 'no credential', headers: { authorization: null } },
  ] as (Omit<GoldenRequest, 'path'> & { query?: string })[]
).map(({ query = '', ...request }) => ({ method: 'GET', path: `/agent-verifications/forward${query}`, ...request }));

const RULES: GoldenRequest[] = ['/robots-txts', '/user-agent-token-lists'].flatMap((path) =>
  [
    { name: 'two types', body: { agent_types: ['AI Data Scraper', 'AI Assistant'] } },
    {
      name: 'exclusions',
      body: {
        agent_types: ['AI Data Scraper'],
        excluded_agent_tokens: ['gptbot'],
        excluded_operator_names: ['Anthropic'],
      },
    },
    { name: 'a path', body: { agent_types: ['Archiver'], disallow: '/private/' } },
    { name: 'an older format', body: { agent_types: ['Archiver'], format: null, node_package_version: '1.2.3' } },
    { name: 'no type', body: { agent_types: [] } },
    { name: 'an unknown type', body: { agent_types: ['Robot', 7] } },
    { name: 'a path with a line end', body: { agent_types: ['Archiver'], disallow: '/\nAllow: /' } },
    { name: 'no types', body: {} },
  ].map((request) => ({ path, ...request })),
);

const INVALID_REQUESTS: Omit<GoldenRequest, 'path'>[] = [
  { name: 'no credential', headers: { authorization: null }, body: {} },
  { name: 'a credential that nobody has', headers: { authorization: 'Bearer at_none' }, body: {} },
  { name: 'no JSON', body: '{"a":' },
  { name: 'another type', headers: { 'content-type': 'text/plain' }, body: '{}' },
  { name: 'no type', headers: { 'content-type': null }, body: '{}' },
  { name: 'another method', method: 'GET' },
  { name: 'a preflight', method: 'OPTIONS', headers: { origin: 'https://example.com' } },
];

const OPERATIONS = [VISITS, IDENTIFICATIONS, VERIFICATIONS, RULES];

/** Valid and invalid requests to all public operations. */
export const GOLDEN_REQUESTS: readonly GoldenRequest[] = [
  ...OPERATIONS.flat(),
  ...FORWARDED,
  ...[...new Set(OPERATIONS.flat().map(({ path }) => path))].flatMap((path) =>
    INVALID_REQUESTS.map((request) => ({ path, ...request })),
  ),
];
