import {
  getHeader,
  getResponseFormat,
  getVisitKinds,
  parseDimension,
  type EnrichedVisit,
  type Visit,
} from '#libs/contracts';
import { UNKNOWN_AGENT } from '../../../../test/kit/unknown-agent.js';
import { agentFileDimensions } from './agent-files.js';

const AGENT = '5b0c4f3e-0000-5000-8000-000000000001';

function getParts(path: string, members: object = {}, identification: object = { agent_id: AGENT }): string[] | null {
  const visit = { request_path: path, request_method: 'GET', request_headers: {}, ...members } as Visit;
  const enrichedVisit = { visit, identification: { ...UNKNOWN_AGENT, ...identification } } as EnrichedVisit;
  const [found] = agentFileDimensions(enrichedVisit, {
    path,
    page: path,
    kinds: getVisitKinds(visit),
    isPayment: false,
    requestedFormat: 'none',
    responseFormat: getResponseFormat(getHeader(visit.response_headers, 'content-type')),
  });
  return found === undefined ? null : [found[0], ...parseDimension(found[1])];
}

const getAnswer = (status: number | null, type?: string) =>
  getParts('/robots.txt', {
    response_status_code: status,
    ...(type !== undefined && { response_headers: { 'Content-Type': type } }),
  })![2];

it.each([
  [200, undefined, 'file'],
  [200, 'text/plain; charset=utf-8', 'file'],
  [206, 'text/plain', 'file'],
  [304, undefined, 'file'],
  [200, 'text/html; charset=utf-8', 'html'],
  [200, 'Application/XHTML+XML', 'html'],
  [202, 'text/html', 'challenge'],
  [202, undefined, 'challenge'],
  [301, 'text/html', 'redirect'],
  [404, 'text/html', 'not_found'],
  [410, undefined, 'not_found'],
  [401, undefined, 'refused'],
  [403, 'text/html', 'refused'],
  [429, undefined, 'refused'],
  [500, undefined, 'error'],
  [503, 'text/html', 'error'],
  [null, 'text/plain', 'none'],
  [0, undefined, 'none'],
])('counts status %j with the content type %j as %s', (status, type, answer) =>
  expect(getAnswer(status, type)).toBe(answer),
);

it.each([
  ['GET', 'refused'],
  ['HEAD', 'none'],
  ['POST', 'none'],
])('counts status 405 to %s as %s', (method, answer) =>
  expect(getParts('/llms.txt', { request_method: method, response_status_code: 405 })![2]).toBe(answer),
);

it.each([
  ['/llms.txt', '/llms.txt'],
  ['/.well-known/mcp.json', '/.well-known/mcp.json'],
  ['/.well-known/mcp/server-card.json', '/.well-known/mcp/*'],
  ['/.well-known/agent-skills/a/SKILL.md', '/.well-known/agent-skills/*'],
  ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource*'],
  ['/sitemap-12.xml', '/sitemap-*'],
])('counts %s as %s', (path, file) => {
  expect(getParts(path)).toEqual(['agent_file', AGENT, 'none', file]);
  expect(getParts(path, {}, {})).toEqual(['agent_file', 'unknown', 'none', file]);
});

it('counts other files in /.well-known/ only for agents', () => {
  expect(getParts('/.well-known/other')).toEqual(['agent_file', AGENT, 'none', '/.well-known/other']);
  expect(getParts('/.well-known/other', {}, {})).toBeNull();
});

it('ignores other paths, and spoofed agents', () => {
  for (const path of ['/', '/docs/llms.txt', '/robots.txt.bak', '/Robots.txt']) expect(getParts(path)).toBeNull();
  expect(getParts('/robots.txt', {}, { agent_id: AGENT, result: 'verification_failed' })).toBeNull();
});
