import { AGENT_FILES, findAgentFile } from './agent-files.js';

it('lists each file once, and counts it under its own path', () => {
  const paths = AGENT_FILES.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.map(findAgentFile)).toEqual(paths);
});

it.each([
  ['/.well-known/mcp/server-card.json', '/.well-known/mcp/*'],
  ['/.well-known/mcp.json', '/.well-known/mcp.json'],
  ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource*'],
  ['/sitemap-posts-1.xml', '/sitemap-*'],
  ['/sitemap', null],
  ['/docs/robots.txt', null],
  ['/.well-known/acme-challenge/1', null],
])('counts %s as %s', (path, file) => expect(findAgentFile(path)).toBe(file));
