import { CREATED_SECONDS, PARAMETERS, getVerdict, request, AUTHORITY } from '../../../../test/kit/signed-requests.js';
import type { ObservedRequest } from '../observed-request.js';

interface Case {
  what: string;
  /** Signed values by component identifier. */
  signs?: Record<string, string>;
  headers?: Record<string, unknown>;
  parameters?: string;
  seen?: Partial<ObservedRequest>;
  expected: string;
}

const OK = 'verified ok';
const UNDECIDED = 'unverified component_unavailable';
const FORGED = 'invalid bad_signature';
const MISSING = 'invalid missing_component';
const PARAM = '"@query-param";name';

const CASES: Case[] = [
  // @query-param
  { what: 'a parameter', signs: { [`${PARAM}="a"`]: '1' }, seen: { path: '/?a=1&b=2' }, expected: OK },
  { what: 'an empty parameter', signs: { [`${PARAM}="a"`]: '' }, seen: { path: '/?a=' }, expected: OK },
  { what: 'a parameter without a value', signs: { [`${PARAM}="a"`]: '' }, seen: { path: '/?a' }, expected: OK },
  { what: 'a plus sign for a space', signs: { [`${PARAM}="a"`]: 'x%20y' }, seen: { path: '/?a=x+y' }, expected: OK },
  { what: 'an encoded name', signs: { [`${PARAM}="a%20b"`]: '1' }, seen: { path: '/?a+b=1' }, expected: OK },
  { what: 'a different value', signs: { [`${PARAM}="a"`]: '2' }, seen: { path: '/?a=1' }, expected: FORGED },
  {
    what: 'a repeated parameter',
    signs: { [`${PARAM}="a"`]: '1' },
    seen: { path: '/?a=1&a=2' },
    expected: UNDECIDED,
  },
  {
    what: 'a missing parameter',
    signs: { [`${PARAM}="c"`]: '1' },
    seen: { path: '/?a=1' },
    expected: MISSING,
  },
  {
    what: 'a parameter in an unreported query',
    signs: { [`${PARAM}="a"`]: '1' },
    seen: { path: '/' },
    expected: 'unverified query_unknown',
  },
  {
    what: 'a parameter without a name',
    signs: { '"@query-param"': '1' },
    seen: { path: '/?a=1' },
    expected: UNDECIDED,
  },
  // @query, @path, @request-target and @target-uri
  { what: 'an empty query', signs: { '"@query"': '?' }, seen: { path: '/?' }, expected: OK },
  { what: 'a missing query', signs: { '"@query"': '?' }, seen: { path: '/' }, expected: OK },
  { what: 'an empty query signed as empty text', signs: { '"@query"': '' }, seen: { path: '/?' }, expected: FORGED },
  {
    what: 'an unreported query',
    signs: { '"@query"': '?a' },
    seen: { path: '/' },
    expected: 'unverified query_unknown',
  },
  { what: 'a different query', signs: { '"@query"': '?a' }, seen: { path: '/?b' }, expected: FORGED },
  { what: 'an empty path signed as the root', signs: { '"@path"': '/' }, seen: { path: '' }, expected: OK },
  { what: 'the root signed as an empty path (NV-07)', signs: { '"@path"': '' }, seen: { path: '/' }, expected: FORGED },
  { what: 'an encoded path', signs: { '"@path"': '/a%2Fb%20c' }, seen: { path: '/a%2Fb%20c' }, expected: OK },
  { what: 'a path decoded by the site', signs: { '"@path"': '/a%20b' }, seen: { path: '/a b' }, expected: UNDECIDED },
  { what: 'a path decoded by the site', signs: { '"@path"': '/%C3%A4' }, seen: { path: '/ä' }, expected: UNDECIDED },
  { what: 'a different path', signs: { '"@path"': '/a' }, seen: { path: '/b' }, expected: FORGED },
  {
    what: 'a request target with an empty query',
    signs: { '"@request-target"': '/a?' },
    seen: { path: '/a?' },
    expected: OK,
  },
  {
    what: 'an HTTP URI',
    signs: { '"@target-uri"': 'http://shop.example/a?b' },
    seen: { path: '/a?b' },
    expected: OK,
  },
  {
    what: 'a path component with a parameter',
    signs: { '"@path";req': '/' },
    seen: { path: '/' },
    expected: UNDECIDED,
  },
  // @method
  { what: 'a method', signs: { '"@method"': 'GET' }, seen: { method: 'GET' }, expected: OK },
  { what: 'a method reported in lowercase', signs: { '"@method"': 'GET' }, seen: { method: 'get' }, expected: OK },
  { what: 'a different method', signs: { '"@method"': 'GET' }, seen: { method: 'POST' }, expected: FORGED },
  // @authority
  { what: 'an uppercase host', headers: { host: 'Shop.EXAMPLE' }, expected: OK },
  { what: 'a host with a trailing dot', headers: { host: 'shop.example.' }, expected: OK },
  { what: 'a host with a trailing dot and a default port', headers: { host: 'shop.example.:443' }, expected: OK },
  { what: 'the HTTPS port', headers: { host: 'shop.example:443' }, expected: OK },
  { what: 'the HTTP port', headers: { host: 'shop.example:80' }, expected: OK },
  { what: 'an empty port', headers: { host: 'shop.example:' }, expected: OK },
  { what: 'a different port', headers: { host: 'shop.example:8443' }, expected: FORGED },
  { what: 'a different host', headers: { host: 'evil.example' }, expected: FORGED },
  {
    what: 'the default port of another scheme',
    headers: { host: 'shop.example:80', ':scheme': 'https' },
    expected: FORGED,
  },
  { what: 'two hosts', headers: { host: ['shop.example', 'evil.example'] }, expected: UNDECIDED },
  // Fields
  { what: 'a field with several lines', signs: { '"x"': 'a, b' }, headers: { x: ['a', ' b '] }, expected: OK },
  { what: 'a folded field line', signs: { '"x"': 'a b' }, headers: { x: 'a\r\n  b' }, expected: OK },
  { what: 'an empty field', signs: { '"x"': '' }, headers: { x: '' }, expected: OK },
  { what: 'a missing field', signs: { '"x"': '' }, expected: MISSING },
  { what: 'a credential header that sites omit', signs: { '"cookie"': 'a=b' }, expected: UNDECIDED },
  { what: 'a different field value', signs: { '"x"': 'a' }, headers: { x: 'b' }, expected: FORGED },
  { what: 'a field value with a line break', signs: { '"x"': 'a' }, headers: { x: 'a\nb' }, expected: UNDECIDED },
  // Component parameters
  { what: 'sf for a dictionary', signs: { '"x";sf': 'a=1, b' }, headers: { x: 'a=1 ,  b=?1' }, expected: OK },
  {
    what: 'sf for a field that may be a list',
    signs: { '"x";sf': 'gzip, gzip' },
    headers: { x: 'gzip,gzip' },
    expected: UNDECIDED,
  },
  {
    what: 'sf for an unstructured field',
    signs: { '"x";sf': 'a b' },
    headers: { x: 'a b' },
    expected: UNDECIDED,
  },
  { what: 'sf for a different value', signs: { '"x";sf': 'b=1' }, headers: { x: 'a=1' }, expected: FORGED },
  { what: 'bs', signs: { '"x";bs': ':YQ==:' }, headers: { x: 'a' }, expected: OK },
  {
    what: 'bs for several lines',
    signs: { '"x";bs': ':YQ==:, :Yg==:' },
    headers: { x: ['a', 'b'] },
    expected: UNDECIDED,
  },
  { what: 'bs for a different value', signs: { '"x";bs': ':YQ==:' }, headers: { x: 'b' }, expected: FORGED },
  { what: 'key', signs: { '"x";key="a"': '1' }, headers: { x: 'a=1, b=2' }, expected: OK },
  { what: 'key for a repeated member', signs: { '"x";key="a"': '2' }, headers: { x: 'a=1, a=2' }, expected: OK },
  {
    what: 'key for a missing member',
    signs: { '"x";key="c"': '1' },
    headers: { x: 'a=1' },
    expected: MISSING,
  },
  {
    what: 'key for a field that is not a dictionary',
    signs: { '"x";key="a"': '1' },
    headers: { x: '1, 2' },
    expected: UNDECIDED,
  },
  { what: 'bs and sf', signs: { '"x";bs;sf': 'a' }, headers: { x: 'a' }, expected: UNDECIDED },
  { what: 'req', signs: { '"x";req': 'a' }, headers: { x: 'a' }, expected: UNDECIDED },
  { what: 'tr', signs: { '"x";tr': 'a' }, headers: { x: 'a' }, expected: UNDECIDED },
  { what: 'an unknown component parameter', signs: { '"x";new': 'a' }, headers: { x: 'a' }, expected: UNDECIDED },
  { what: 'an unknown derived component', signs: { '"@new"': 'a' }, expected: UNDECIDED },
  { what: 'a response status', signs: { '"@status"': '200' }, expected: UNDECIDED },
  // Signature parameters
  { what: 'a nonce', parameters: `${PARAMETERS};nonce="a"`, expected: OK },
  { what: 'an unknown signature parameter', parameters: `${PARAMETERS};new=1`, expected: OK },
  {
    what: 'a future algorithm',
    parameters: `${PARAMETERS};alg="ml-dsa-65"`,
    expected: 'unverified algorithm_not_allowed',
  },
  {
    what: 'a missing tag',
    parameters: PARAMETERS.replace(';tag="web-bot-auth"', ''),
    expected: 'not_applicable no_web_bot_auth_signature',
  },
  {
    what: 'a tag that is a token',
    parameters: PARAMETERS.replace('"web-bot-auth"', 'web-bot-auth'),
    expected: 'not_applicable no_web_bot_auth_signature',
  },
  { what: 'a clock difference within the tolerance', seen: { at: (CREATED_SECONDS - 30) * 1_000 }, expected: OK },
  {
    what: 'a signature created in the future',
    seen: { at: (CREATED_SECONDS - 31) * 1_000 },
    expected: 'invalid created_in_future',
  },
];

it.each(CASES)(
  'returns "$expected" for $what',
  ({ signs = {}, headers = {}, parameters = PARAMETERS, seen, expected }) => {
    const components = Object.entries(signs).map(([name, value]) => ({ name, line: `${name}: ${value}` }));
    const signed = request([AUTHORITY, ...components], { parameters });
    expect(getVerdict({ ...signed, ...headers } as Record<string, string>, seen)).toBe(expected);
  },
);
