import { CREATED, PARAMETERS, reasonOf, request, AUTHORITY } from '../../../../test/kit/signed-requests.js';
import type { ObservedRequest } from '../observed-request.js';

interface Case {
  what: string;
  /** Covered components: identifiers and their signed values. */
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
  { what: 'another value', signs: { [`${PARAM}="a"`]: '2' }, seen: { path: '/?a=1' }, expected: FORGED },
  {
    what: 'a parameter given twice',
    signs: { [`${PARAM}="a"`]: '1' },
    seen: { path: '/?a=1&a=2' },
    expected: UNDECIDED,
  },
  {
    what: 'a parameter that is not there',
    signs: { [`${PARAM}="c"`]: '1' },
    seen: { path: '/?a=1' },
    expected: MISSING,
  },
  {
    what: 'a parameter of a query that was not reported',
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
  { what: 'no query', signs: { '"@query"': '?' }, seen: { path: '/' }, expected: OK },
  { what: 'an empty query as empty text', signs: { '"@query"': '' }, seen: { path: '/?' }, expected: FORGED },
  {
    what: 'a query that was not reported',
    signs: { '"@query"': '?a' },
    seen: { path: '/' },
    expected: 'unverified query_unknown',
  },
  { what: 'another query', signs: { '"@query"': '?a' }, seen: { path: '/?b' }, expected: FORGED },
  { what: 'the root for an empty path', signs: { '"@path"': '/' }, seen: { path: '' }, expected: OK },
  { what: 'an empty path (NV-07)', signs: { '"@path"': '' }, seen: { path: '/' }, expected: FORGED },
  { what: 'an encoded path', signs: { '"@path"': '/a%2Fb%20c' }, seen: { path: '/a%2Fb%20c' }, expected: OK },
  { what: 'a path that the site decoded', signs: { '"@path"': '/a%20b' }, seen: { path: '/a b' }, expected: UNDECIDED },
  { what: 'a path that the site decoded', signs: { '"@path"': '/%C3%A4' }, seen: { path: '/ä' }, expected: UNDECIDED },
  { what: 'another path', signs: { '"@path"': '/a' }, seen: { path: '/b' }, expected: FORGED },
  {
    what: 'a request target with an empty query',
    signs: { '"@request-target"': '/a?' },
    seen: { path: '/a?' },
    expected: OK,
  },
  {
    what: 'a URI over http',
    signs: { '"@target-uri"': 'http://shop.example/a?b' },
    seen: { path: '/a?b' },
    expected: OK,
  },
  { what: 'a path with a parameter', signs: { '"@path";req': '/' }, seen: { path: '/' }, expected: UNDECIDED },
  // @method
  { what: 'a method', signs: { '"@method"': 'GET' }, seen: { method: 'GET' }, expected: OK },
  { what: 'a method reported in lower case', signs: { '"@method"': 'GET' }, seen: { method: 'get' }, expected: OK },
  { what: 'another method', signs: { '"@method"': 'GET' }, seen: { method: 'POST' }, expected: FORGED },
  // @authority
  { what: 'a host in capitals', headers: { host: 'Shop.EXAMPLE' }, expected: OK },
  { what: 'a host with a dot at its end', headers: { host: 'shop.example.' }, expected: OK },
  { what: 'a host with a dot and a default port', headers: { host: 'shop.example.:443' }, expected: OK },
  { what: 'the port of https', headers: { host: 'shop.example:443' }, expected: OK },
  { what: 'the port of http', headers: { host: 'shop.example:80' }, expected: OK },
  { what: 'an empty port', headers: { host: 'shop.example:' }, expected: OK },
  { what: 'another port', headers: { host: 'shop.example:8443' }, expected: FORGED },
  { what: 'another host', headers: { host: 'evil.example' }, expected: FORGED },
  { what: 'a port of another scheme', headers: { host: 'shop.example:80', ':scheme': 'https' }, expected: FORGED },
  { what: 'two hosts', headers: { host: ['shop.example', 'evil.example'] }, expected: UNDECIDED },
  // Fields
  { what: 'values of several lines', signs: { '"x"': 'a, b' }, headers: { x: ['a', ' b '] }, expected: OK },
  { what: 'a folded line', signs: { '"x"': 'a b' }, headers: { x: 'a\r\n  b' }, expected: OK },
  { what: 'a field that is empty', signs: { '"x"': '' }, headers: { x: '' }, expected: OK },
  { what: 'a field that is not there', signs: { '"x"': '' }, expected: MISSING },
  { what: 'a credential that sites leave out', signs: { '"cookie"': 'a=b' }, expected: UNDECIDED },
  { what: 'another value of a field', signs: { '"x"': 'a' }, headers: { x: 'b' }, expected: FORGED },
  { what: 'a value with a line break', signs: { '"x"': 'a' }, headers: { x: 'a\nb' }, expected: UNDECIDED },
  // Parameters of components
  { what: 'sf of a dictionary', signs: { '"x";sf': 'a=1, b' }, headers: { x: 'a=1 ,  b=?1' }, expected: OK },
  {
    what: 'sf of a field that may be a list',
    signs: { '"x";sf': 'gzip, gzip' },
    headers: { x: 'gzip,gzip' },
    expected: UNDECIDED,
  },
  {
    what: 'sf of a field that is not structured',
    signs: { '"x";sf': 'a b' },
    headers: { x: 'a b' },
    expected: UNDECIDED,
  },
  { what: 'sf of another value', signs: { '"x";sf': 'b=1' }, headers: { x: 'a=1' }, expected: FORGED },
  { what: 'bs', signs: { '"x";bs': ':YQ==:' }, headers: { x: 'a' }, expected: OK },
  {
    what: 'bs of several lines',
    signs: { '"x";bs': ':YQ==:, :Yg==:' },
    headers: { x: ['a', 'b'] },
    expected: UNDECIDED,
  },
  { what: 'bs of another value', signs: { '"x";bs': ':YQ==:' }, headers: { x: 'b' }, expected: FORGED },
  { what: 'key', signs: { '"x";key="a"': '1' }, headers: { x: 'a=1, b=2' }, expected: OK },
  { what: 'key of a member given twice', signs: { '"x";key="a"': '2' }, headers: { x: 'a=1, a=2' }, expected: OK },
  {
    what: 'key of a member that is not there',
    signs: { '"x";key="c"': '1' },
    headers: { x: 'a=1' },
    expected: MISSING,
  },
  {
    what: 'key of a field that is not a dictionary',
    signs: { '"x";key="a"': '1' },
    headers: { x: '1, 2' },
    expected: UNDECIDED,
  },
  { what: 'bs and sf', signs: { '"x";bs;sf': 'a' }, headers: { x: 'a' }, expected: UNDECIDED },
  { what: 'req', signs: { '"x";req': 'a' }, headers: { x: 'a' }, expected: UNDECIDED },
  { what: 'tr', signs: { '"x";tr': 'a' }, headers: { x: 'a' }, expected: UNDECIDED },
  { what: 'an unknown parameter', signs: { '"x";new': 'a' }, headers: { x: 'a' }, expected: UNDECIDED },
  { what: 'an unknown derived component', signs: { '"@new"': 'a' }, expected: UNDECIDED },
  { what: 'the status of a response', signs: { '"@status"': '200' }, expected: UNDECIDED },
  // Parameters of signatures
  { what: 'a nonce', parameters: `${PARAMETERS};nonce="a"`, expected: OK },
  { what: 'an unknown parameter', parameters: `${PARAMETERS};new=1`, expected: OK },
  {
    what: 'an algorithm to come',
    parameters: `${PARAMETERS};alg="ml-dsa-65"`,
    expected: 'unverified algorithm_not_allowed',
  },
  {
    what: 'no tag',
    parameters: PARAMETERS.replace(';tag="web-bot-auth"', ''),
    expected: 'not_applicable no_web_bot_auth_signature',
  },
  {
    what: 'a tag that is a token',
    parameters: PARAMETERS.replace('"web-bot-auth"', 'web-bot-auth'),
    expected: 'not_applicable no_web_bot_auth_signature',
  },
  { what: 'clocks that differ', seen: { at: (CREATED - 30) * 1_000 }, expected: OK },
  { what: 'a signature of the future', seen: { at: (CREATED - 31) * 1_000 }, expected: 'invalid created_in_future' },
];

it.each(CASES)('$what: $expected', ({ signs = {}, headers = {}, parameters = PARAMETERS, seen, expected }) => {
  const components = Object.entries(signs).map(([name, value]) => ({ name, line: `${name}: ${value}` }));
  const signed = request([AUTHORITY, ...components], { parameters });
  expect(reasonOf({ ...signed, ...headers } as Record<string, string>, seen)).toBe(expected);
});
