import { findPatternFault } from '#libs/agents';
import {
  getBundledCatalog,
  createCatalog,
  compileCatalog,
  getBrowserUserAgents,
  type Agent,
  type CompiledCatalog,
} from '#libs/catalog';
import { AGENT_TYPES } from '#libs/contracts';
import { selectAgents, type SelectionRequest } from '../../apps/rules/src/selection.js';
import { SERVER_CONFIGS } from '../../apps/rules/src/server-config/index.js';
import { isFullRun } from '../kit/faults.js';
import { EXPORT_FORMATS, SERVER_KINDS, WebServer, type ServerKind } from './web-servers.ts';
import { HOSTILE_AGENTS, HOSTILE_USER_AGENTS, UNMATCHED_USER_AGENTS } from './hostile-agents.ts';

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

const bundled = compileCatalog(getBundledCatalog());
const getSamples = (catalog: CompiledCatalog): string[] =>
  [...catalog.byId.values()].flatMap((agent) => agent.sample_user_agents ?? []);
const samples = getSamples(bundled);
const browsers = getBrowserUserAgents();

const servers: WebServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.dispose()));
});

async function startServer(
  kind: ServerKind,
  listed: readonly Agent[],
  catalog = bundled,
  options = {},
): Promise<WebServer> {
  const server = await WebServer.start(kind, SERVER_CONFIGS[EXPORT_FORMATS[kind]](listed, catalog), options);
  servers.push(server);
  return server;
}

/** Returns the status that our engine expects for each user agent. It is 403 for listed agents and 200 for others. */
function getExpectedStatuses(
  userAgents: readonly string[],
  listed: readonly Agent[],
  catalog = bundled,
): [string, number][] {
  const isListed = new Set<unknown>(listed);
  return userAgents.map((userAgent) => [userAgent, isListed.has(catalog.matcher.match(userAgent)?.agent) ? 403 : 200]);
}

async function findDifferences(server: WebServer, expectedStatuses: [string, number][]): Promise<[string, number][]> {
  const statuses = await server.requestStatuses(expectedStatuses.map(([userAgent]) => userAgent));
  return expectedStatuses.filter(([, status], index) => statuses[index] !== status);
}

const SELECTIONS: Record<string, SelectionRequest> = {
  'search engines except one': { agent_types: ['Search Engine Crawler'], excluded_agent_tokens: ['Googlebot-Image'] },
  'only HTTP libraries': { agent_types: ['Automated Agent'] },
  'AI scrapers except those from one operator': {
    agent_types: ['AI Data Scraper', 'Undocumented AI Agent', 'Intelligence Gatherer'],
    excluded_operator_names: ['OpenAI'],
  },
  'everything except HTTP libraries': { agent_types: AGENT_TYPES.filter((type) => type !== 'Automated Agent') },
};

/** Known differences between servers and our engine. `token` is the listed agent. */
const DIFFERENCES: [
  why: string,
  differ: (kind: ServerKind) => boolean,
  token: string,
  userAgent: string,
  status: number,
][] = [
  ['the engine stops reading after 4,096 characters', () => true, 'GPTBot', `${'x'.repeat(4_096)} GPTBot`, 403],
  ['no sample contains the names of both agents', () => true, 'GPTBot', 'GPTBot/1.2 and Amazonbot-Video/1.0', 403],
  [
    'Go treats the long s as s and the Kelvin sign as k',
    (kind) => kind === 'caddy',
    'Bytespider',
    'Byte\u017fpider',
    403,
  ],
  [
    'PCRE counts bytes instead of characters',
    (kind) => kind !== 'caddy',
    'Current RSS Reader',
    `Current ${'\u6f22'.repeat(40)} RSS Reader`,
    200,
  ],
];

describe.each(SERVER_KINDS)('%s', (kind) => {
  it.each(DIFFERENCES)(
    'differs from the identification engine only where %s',
    async (_, isDifferent, token, userAgent, status) => {
      const listed = [bundled.byToken.get(token.toLowerCase())!];
      const expectedStatuses = getExpectedStatuses([userAgent], listed);
      expect(expectedStatuses[0]![1]).not.toBe(status);
      const server = await startServer(kind, listed);
      expect(await server.requestStatuses([userAgent])).toEqual([isDifferent(kind) ? status : expectedStatuses[0]![1]]);
    },
  );

  it('blocks every agent with 403, but no browsers', async () => {
    const server = await startServer(kind, [...bundled.byId.values()]);
    expect(
      await findDifferences(
        server,
        samples.map((sample) => [sample, 403]),
      ),
    ).toEqual([]);
    expect(
      await findDifferences(
        server,
        browsers.map((browser) => [browser, 200]),
      ),
    ).toEqual([]);
    expect(await server.requestStatuses([null, '', ...samples.slice(0, 9)], '/robots.txt')).toEqual(
      Array(11).fill(200),
    );
    expect(await server.requestStatuses([null, ''])).toEqual([200, 200]);
  });

  it.each(Object.entries(SELECTIONS))('agrees with the identification engine: %s', async (_, selection) => {
    const listed = selectAgents(bundled, selection);
    const server = await startServer(kind, listed);
    const named = [
      'Googlebot-Image/1.0',
      'Googlebot/2.1',
      'Mozilla/5.0 (like Googlebot)',
      'with Googlebot Googlebot/2.1',
    ];
    const tested = samples.filter((_sample, index) => isFullRun || index % 4 === 0);
    expect(await findDifferences(server, getExpectedStatuses([...tested, ...named], listed))).toEqual([]);
  });

  it('blocks no requests if the configuration lists no agents', async () => {
    const server = await startServer(kind, []);
    expect(await server.requestStatuses(['GPTBot/1.2', BROWSER])).toEqual([200, 200]);
  });

  it('matches agents with hostile names and patterns', async () => {
    const catalog = compileCatalog(createCatalog({ agents: HOSTILE_AGENTS, proxies: [] }));
    const allAgents = [...catalog.byId.values()];
    expect(allAgents.flatMap((agent) => agent.user_agent_patterns.filter(findPatternFault))).toEqual([]);
    const server = await startServer(kind, allAgents, catalog);
    const userAgents = [...getSamples(catalog), ...HOSTILE_USER_AGENTS, ...UNMATCHED_USER_AGENTS];
    const expectedStatuses = getExpectedStatuses(userAgents, allAgents, catalog);
    expect(expectedStatuses.filter(([, status]) => status === 200).map(([userAgent]) => userAgent)).toEqual(
      UNMATCHED_USER_AGENTS,
    );
    expect(await findDifferences(server, expectedStatuses)).toEqual([]);
    await server.dispose();

    // Listing every other agent turns all remaining agents into exceptions.
    const half = allAgents.filter((_, index) => index % 2 === 0);
    expect(
      await findDifferences(await startServer(kind, half, catalog), getExpectedStatuses(userAgents, half, catalog)),
    ).toEqual([]);
  });
});

/** In a directory context, as in .htaccess, Apache checks the rewritten URL as if it were a new request. */
const REWRITING_APACHE = '<Directory "/">\nRewriteEngine On\nRewriteRule robots\\.txt$ /index.html [L]\n</Directory>';

/** Site configuration that serves robots.txt from another file. */
const REWRITING_SITES: Partial<Record<ServerKind, string>> = {
  nginx: 'location = /robots.txt { try_files /none /index.html; }',
  apache: REWRITING_APACHE,
  'apache vhost': REWRITING_APACHE,
  'apache .htaccess': REWRITING_APACHE,
  caddy: 'rewrite /robots.txt /index.html',
};

describe.each(Object.entries(REWRITING_SITES) as [ServerKind, string][])('%s', (kind, site) => {
  it('allows agents to read a robots.txt that is rewritten to another file', async () => {
    const server = await startServer(kind, [...bundled.byId.values()], bundled, { site });
    expect(await server.requestStatuses(['GPTBot/1.2', BROWSER], '/robots.txt')).toEqual([200, 200]);
    expect(await server.requestStatuses(['GPTBot/1.2', BROWSER], '/index.html')).toEqual([403, 200]);
  });
});

describe.each(SERVER_KINDS.filter((kind) => kind.startsWith('apache')))('%s', (kind) => {
  it('does not grant access that the site denies', async () => {
    const server = await startServer(kind, [...bundled.byId.values()]);
    expect(await server.requestStatuses(['GPTBot/1.2', BROWSER, null], '/private/')).toEqual([403, 403, 403]);
    expect(await server.requestStatuses(['GPTBot/1.2', BROWSER, null], '/private/../')).toEqual([403, 200, 200]);
  });

  it('blocks agents even if the site allows their address', async () => {
    const site = '<Location "/">\nAuthMerging Or\nRequire local\n</Location>';
    const server = await startServer(kind, [...bundled.byId.values()], bundled, { site });
    expect(await server.requestStatuses(['GPTBot/1.2', BROWSER])).toEqual([403, 200]);
  });
});

describe('caddy', () => {
  it('blocks agents in handle and route blocks only with the order directive', async () => {
    const site = 'handle /api* {\n\t\trespond "handled"\n\t}\n\troute /way* {\n\t\trespond "routed"\n\t}';
    const allAgents = [...bundled.byId.values()];
    const ordered = await startServer('caddy', allAgents, bundled, { site, global: 'order error after map' });
    const unordered = await startServer('caddy', allAgents, bundled, { site });
    for (const path of ['/api', '/way']) {
      expect(await ordered.requestStatuses(['GPTBot/1.2', BROWSER], path)).toEqual([403, 200]);
      expect(await unordered.requestStatuses(['GPTBot/1.2', BROWSER], path)).toEqual([200, 200]);
    }
    expect(await ordered.requestStatuses(['GPTBot/1.2'], '/robots.txt')).toEqual([200]);
  });
});
