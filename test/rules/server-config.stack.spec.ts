import { patternFault } from '#libs/agents';
import {
  bundledCatalog,
  catalogOf,
  compileCatalog,
  peoplesBrowsers,
  type Agent,
  type CompiledCatalog,
} from '#libs/catalog';
import { AGENT_TYPES } from '#libs/contracts';
import { selectAgents, type SelectionRequest } from '../../apps/rules/src/selection.js';
import { SERVER_CONFIGS } from '../../apps/rules/src/server-config/index.js';
import { FORMATS, KINDS, WebServer, type Kind } from './web-servers.ts';
import { HOSTILE_AGENTS, HOSTILE_USER_AGENTS, BYSTANDERS } from './hostile-agents.ts';

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

const bundled = compileCatalog(bundledCatalog());
const samplesOf = (catalog: CompiledCatalog): string[] =>
  [...catalog.byId.values()].flatMap((agent) => agent.sample_user_agents ?? []);
const samples = samplesOf(bundled);
const browsers = peoplesBrowsers();

const servers: WebServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.dispose()));
});

async function serve(kind: Kind, listed: readonly Agent[], catalog = bundled, options = {}): Promise<WebServer> {
  const server = await WebServer.start(kind, SERVER_CONFIGS[FORMATS[kind]](listed, catalog), options);
  servers.push(server);
  return server;
}

/** Statuses according to our engine: 403 for user agents of the listed agents. */
function expected(userAgents: readonly string[], listed: readonly Agent[], catalog = bundled): [string, number][] {
  const isListed = new Set<unknown>(listed);
  return userAgents.map((userAgent) => [userAgent, isListed.has(catalog.matcher.match(userAgent)?.agent) ? 403 : 200]);
}

async function differences(server: WebServer, answers: [string, number][]): Promise<[string, number][]> {
  const statuses = await server.statuses(answers.map(([userAgent]) => userAgent));
  return answers.filter(([, status], index) => statuses[index] !== status);
}

const SELECTIONS: Record<string, SelectionRequest> = {
  'search engines but for one': { agent_types: ['Search Engine Crawler'], excluded_agent_tokens: ['Googlebot-Image'] },
  'libraries, and no named agents': { agent_types: ['Automated Agent'] },
  'scrapers for AI, but for an operator': {
    agent_types: ['AI Data Scraper', 'Undocumented AI Agent', 'Intelligence Gatherer'],
    excluded_operator_names: ['OpenAI'],
  },
  'all but libraries': { agent_types: AGENT_TYPES.filter((type) => type !== 'Automated Agent') },
};

/** Known differences between servers and our engine. `token` is the listed agent. */
const DIFFERENCES: [why: string, differ: (kind: Kind) => boolean, token: string, userAgent: string, status: number][] =
  [
    ['the engine looks at 4,096 characters', () => true, 'GPTBot', `${'x'.repeat(4_096)} GPTBot`, 403],
    ['samples tell who shares a text', () => true, 'GPTBot', 'GPTBot/1.2 and Amazonbot-Video/1.0', 403],
    [
      'Go takes long s for s, and the sign of Kelvin for k',
      (kind) => kind === 'caddy',
      'Bytespider',
      'Byte\u017fpider',
      403,
    ],
    [
      'PCRE counts bytes between two texts',
      (kind) => kind !== 'caddy',
      'Current RSS Reader',
      `Current ${'\u6f22'.repeat(40)} RSS Reader`,
      200,
    ],
  ];

describe.each(KINDS)('%s', (kind) => {
  it.each(DIFFERENCES)('differs from the engine only where %s', async (_, differ, token, userAgent, status) => {
    const listed = [bundled.byToken.get(token.toLowerCase())!];
    const answers = expected([userAgent], listed);
    expect(answers[0]![1]).not.toBe(status);
    const server = await serve(kind, listed);
    expect(await server.statuses([userAgent])).toEqual([differ(kind) ? status : answers[0]![1]]);
  });

  it('refuses every agent with 403, but no browsers', async () => {
    const server = await serve(kind, [...bundled.byId.values()]);
    expect(
      await differences(
        server,
        samples.map((sample) => [sample, 403]),
      ),
    ).toEqual([]);
    expect(
      await differences(
        server,
        browsers.map((browser) => [browser, 200]),
      ),
    ).toEqual([]);
    expect(await server.statuses([null, '', ...samples.slice(0, 9)], '/robots.txt')).toEqual(Array(11).fill(200));
    expect(await server.statuses([null, ''])).toEqual([200, 200]);
  });

  it.each(Object.entries(SELECTIONS))('agrees with the engine: %s', async (_, selection) => {
    const listed = selectAgents(bundled, selection);
    const server = await serve(kind, listed);
    const named = [
      'Googlebot-Image/1.0',
      'Googlebot/2.1',
      'Mozilla/5.0 (like Googlebot)',
      'with Googlebot Googlebot/2.1',
    ];
    expect(await differences(server, expected([...samples, ...named], listed))).toEqual([]);
  });

  it('refuses no requests when no agents are listed', async () => {
    const server = await serve(kind, []);
    expect(await server.statuses(['GPTBot/1.2', BROWSER])).toEqual([200, 200]);
  });

  it('matches agents with hostile names and patterns', async () => {
    const catalog = compileCatalog(catalogOf({ agents: HOSTILE_AGENTS, proxies: [] }));
    const all = [...catalog.byId.values()];
    expect(all.flatMap((agent) => agent.user_agent_patterns.filter(patternFault))).toEqual([]);
    const server = await serve(kind, all, catalog);
    const userAgents = [...samplesOf(catalog), ...HOSTILE_USER_AGENTS, ...BYSTANDERS];
    const answers = expected(userAgents, all, catalog);
    expect(answers.filter(([, status]) => status === 200).map(([userAgent]) => userAgent)).toEqual(BYSTANDERS);
    expect(await differences(server, answers)).toEqual([]);
    await server.dispose();

    // With only half of the agents listed, the others are exceptions.
    const half = all.filter((_, index) => index % 2 === 0);
    expect(await differences(await serve(kind, half, catalog), expected(userAgents, half, catalog))).toEqual([]);
  });
});

/** In a directory context, as in .htaccess, Apache checks the rewritten URL like a new request. */
const REWRITING_APACHE = '<Directory "/">\nRewriteEngine On\nRewriteRule robots\\.txt$ /index.html [L]\n</Directory>';

/** Site configuration that serves robots.txt from another file. */
const REWRITING: Partial<Record<Kind, string>> = {
  nginx: 'location = /robots.txt { try_files /none /index.html; }',
  apache: REWRITING_APACHE,
  'apache vhost': REWRITING_APACHE,
  'apache .htaccess': REWRITING_APACHE,
  caddy: 'rewrite /robots.txt /index.html',
};

describe.each(Object.entries(REWRITING) as [Kind, string][])('%s', (kind, site) => {
  it('allows agents to read a robots.txt that is rewritten to another file', async () => {
    const server = await serve(kind, [...bundled.byId.values()], bundled, { site });
    expect(await server.statuses(['GPTBot/1.2', BROWSER], '/robots.txt')).toEqual([200, 200]);
    expect(await server.statuses(['GPTBot/1.2', BROWSER], '/index.html')).toEqual([403, 200]);
  });
});

describe.each(KINDS.filter((kind) => kind.startsWith('apache')))('%s', (kind) => {
  it('grants no access that the site refuses', async () => {
    const server = await serve(kind, [...bundled.byId.values()]);
    expect(await server.statuses(['GPTBot/1.2', BROWSER, null], '/private/')).toEqual([403, 403, 403]);
    expect(await server.statuses(['GPTBot/1.2', BROWSER, null], '/private/../')).toEqual([403, 200, 200]);
  });

  it('refuses agents even if the site allows their address', async () => {
    const site = '<Location "/">\nAuthMerging Or\nRequire local\n</Location>';
    const server = await serve(kind, [...bundled.byId.values()], bundled, { site });
    expect(await server.statuses(['GPTBot/1.2', BROWSER])).toEqual([403, 200]);
  });
});

describe('caddy', () => {
  it('refuses agents in handle and route blocks only with the order directive', async () => {
    const site = 'handle /api* {\n\t\trespond "handled"\n\t}\n\troute /way* {\n\t\trespond "routed"\n\t}';
    const all = [...bundled.byId.values()];
    const ordered = await serve('caddy', all, bundled, { site, global: 'order error after map' });
    const unordered = await serve('caddy', all, bundled, { site });
    for (const path of ['/api', '/way']) {
      expect(await ordered.statuses(['GPTBot/1.2', BROWSER], path)).toEqual([403, 200]);
      expect(await unordered.statuses(['GPTBot/1.2', BROWSER], path)).toEqual([200, 200]);
    }
    expect(await ordered.statuses(['GPTBot/1.2'], '/robots.txt')).toEqual([200]);
  });
});
