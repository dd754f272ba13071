import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCatalog, compileCatalog, type AgentRecord } from '#libs/catalog';
import { SERVER_CONFIGS } from './index.js';

const record = (token: string, pattern: string | null): AgentRecord => ({
  token,
  type: 'Fetcher',
  operator: null,
  url: null,
  user_agent_patterns: pattern === null ? [] : [pattern],
  sample_user_agents: pattern === null ? [] : [token],
  robots_token: null,
  verification: {},
  ...(pattern === null && { robots_only: true }),
});

const catalog = compileCatalog(
  createCatalog({
    agents: [
      record('My Bot', '\\bMy Bot'),
      record('My Bot-Image', 'My Bot-Image'),
      record('Café" ${x} \\', 'Caf."[^)]{0,9}#'),
      record('Unseen', null),
    ],
    proxies: [],
  }),
);
const listed = [...catalog.byId.values()].filter(({ token }) => token !== 'My Bot-Image');

describe.each(Object.entries(SERVER_CONFIGS))('%s', (format, render) => {
  it('renders the same configuration as the golden file', () => {
    expect(render(listed, catalog)).toBe(readFileSync(join(import.meta.dirname, 'golden', `${format}.conf`), 'utf8'));
  });

  it('contains only instructions if the list of agents is empty', () => {
    const text = render([], catalog);
    expect(text.startsWith(`# Agent Traffic: blocks 0 agents by User-Agent; catalog ${catalog.version}.\n`)).toBe(true);
    expect(text).not.toContain('Bot');
  });

  it('counts only agents that it can block', () => {
    const agents = [record('Said', 'Said'), record('Unsaid', '(?<!a+)Unsaid')];
    const some = compileCatalog(createCatalog({ agents, proxies: [] }));
    expect(render([...some.byId.values()], some)).toMatch(/^# Agent Traffic: blocks 1 agent by [^]*\n# Unsaid\n$/);
  });

  it('ends the configuration in a single newline, regardless of the order of agents', () => {
    for (const agents of [[], listed]) {
      const text = render(agents, catalog);
      expect(text).toMatch(/[^\n]\n$/);
      expect(text).not.toMatch(/\r|\n\n\n| \n/);
      expect(render(agents.toReversed(), catalog)).toBe(text);
    }
  });
});
