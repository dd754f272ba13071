import { jest } from '@jest/globals';
import { agentId, bundledCatalog, CurrentCatalog } from '#libs/catalog';
import type { RobotsJudgment, Visit } from '#libs/contracts';
import type { ProjectSettings } from './project-settings.repository.js';
import { RobotsService } from './robots.service.js';
import type { RobotsVersionsRepository, StoredRobotsVersion } from './robots-versions.repository.js';

class BundledCatalog extends CurrentCatalog {}

const HOUR = 3_600_000;
const [FIRST, SECOND, THIRD] = [1, 2, 3].map((hours) => hours * HOUR) as [number, number, number];
const TEXTS: Record<string, string> = {
  open: 'User-agent: GPTBot\nAllow: /\nDisallow: /private/',
  closed: 'User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/',
};

let queries: string[];
const services: RobotsService[] = [];
afterEach(() => services.splice(0).forEach((service) => service.onApplicationShutdown()));

function serviceOf(versions: Partial<StoredRobotsVersion>[]): RobotsService {
  queries = [];
  const all = versions.map((version, index) => ({
    id: `version ${index}`,
    host: 'shop.example',
    from: 0,
    until: Infinity,
    status: 200,
    digest: null,
    ...version,
  }));
  const repository = {
    ofProjects: async (ids: string[]) => {
      queries.push('versions');
      return new Map(ids.map((id) => [id, all]));
    },
    texts: async (digests: string[]) => {
      queries.push(`texts ${digests.join()}`);
      return new Map(digests.map((digest) => [digest, TEXTS[digest]!]));
    },
  } as unknown as RobotsVersionsRepository;
  const service = new RobotsService(repository, new BundledCatalog());
  services.push(service);
  return service;
}

interface Fetch {
  headers?: Record<string, unknown>;
  path?: string;
  at?: number;
  agent?: string;
  settings?: Partial<ProjectSettings>;
}

async function judge(service: RobotsService, ...fetches: Fetch[]): Promise<RobotsJudgment[]> {
  const requests = fetches.map(({ headers, path, at, agent, settings }) => ({
    projectId: '019a0000-0000-7000-8000-000000000000',
    project: { siteHosts: ['shop.example', 'blog.example:8443'], robotsRevision: '1', ...settings } as ProjectSettings,
    agentId: agentId(agent ?? 'GPTBot'),
    visit: {
      request_headers: (headers ?? { Host: 'shop.example' }) as Visit['request_headers'],
      request_path: path ?? '/private/a',
    },
    at: at ?? FIRST,
  }));
  return service.judgeAll(requests);
}

it('judges each visit by the robots.txt version at that time', async () => {
  const service = serviceOf([
    { from: FIRST, until: SECOND, digest: 'open' },
    { from: SECOND, until: THIRD, digest: 'closed' },
  ]);
  const times = [FIRST - 1, FIRST, SECOND - 1, SECOND, THIRD - 1, THIRD];
  expect(await judge(service, ...times.map((at) => ({ at, path: '/private/a' })))).toEqual([
    { verdict: 'unknown', version: null, line: null },
    { verdict: 'disallowed', version: 'version 0', line: 3 },
    { verdict: 'disallowed', version: 'version 0', line: 3 },
    { verdict: 'disallowed', version: 'version 1', line: 3 },
    { verdict: 'disallowed', version: 'version 1', line: 3 },
    { verdict: 'unknown', version: null, line: null },
  ]);
  expect(queries).toEqual(['versions', 'texts open,closed']);
  await judge(service, { at: SECOND });
  expect(queries).toHaveLength(2);
});

it('applies the group of the agent, or * if none names it', async () => {
  const service = serviceOf([{ digest: 'closed' }]);
  expect(
    await judge(
      service,
      { agent: 'CCBot', path: '/' },
      { agent: 'ClaudeBot', path: '/' },
      { agent: 'ClaudeBot', path: '/private/a' },
      { agent: 'no such agent', path: '/private/a' },
    ),
  ).toMatchObject([
    { verdict: 'disallowed', line: 3 },
    { verdict: 'allowed', line: null },
    { verdict: 'disallowed', line: 6 },
    { verdict: 'disallowed', line: 6 },
  ]);
});

it.each([
  [404, 'no_rules'],
  [302, 'no_rules'],
  [500, 'unreachable'],
  [503, 'unreachable'],
  [null, 'unreachable'],
])('treats status %p as %s and always allows robots.txt itself', async (status, verdict) => {
  const service = serviceOf([{ status }]);
  expect(await judge(service, {}, { path: '/robots.txt' })).toEqual([
    { verdict, version: 'version 0', line: null },
    { verdict: 'allowed', version: 'version 0', line: null },
  ]);
});

it.each<[string, Record<string, unknown>, string | null]>([
  ['the host', { HOST: 'Shop.Example' }, 'version 0'],
  ['one with a port', { host: 'shop.example:443' }, 'version 0'],
  ['one with a dot at its end', { host: 'shop.example.' }, 'version 0'],
  ['one whose port is in the settings', { host: 'blog.example:8443' }, 'version 1'],
  [':authority before Host', { host: 'shop.example', ':authority': 'blog.example:8443' }, 'version 1'],
  ['none', { 'user-agent': 'x' }, 'version 0'],
  ['that of the machine behind a proxy', { host: '10.0.0.7:3000' }, 'version 0'],
  ['that of another machine behind one', { host: 'app' }, 'version 0'],
  ['a foreign one', { host: 'other.example' }, null],
  ['two at once', { host: ['shop.example', 'blog.example'] }, null],
])('finds the requested host: %s', async (_, headers, version) => {
  const service = serviceOf([{}, { host: 'blog.example:8443' }]);
  expect(await judge(service, { headers })).toMatchObject([{ version }]);
});

it('returns unknown if it cannot decide', async () => {
  const unknown = { verdict: 'unknown', version: null, line: null };
  expect(await judge(serviceOf([{ digest: 'open' }]), { settings: { robotsRevision: null } })).toEqual([unknown]);
  expect(queries).toEqual([]);
  expect(await judge(serviceOf([]), {}, { path: '/robots.txt' })).toEqual([
    unknown,
    { ...unknown, verdict: 'allowed' },
  ]);
  expect(await judge(serviceOf([{ digest: 'open' }]), { headers: {}, settings: { siteHosts: [] } })).toEqual([unknown]);
  const ofTheFile = { ...unknown, version: 'version 0' };
  expect(await judge(serviceOf([{ digest: 'open' }]), { path: '*' })).toEqual([ofTheFile]);
  TEXTS['hostile'] = `User-agent: *\n${Array.from({ length: 20_000 }, (_, at) => `Disallow: /*a*${at}b`).join('\n')}`;
  expect(await judge(serviceOf([{ digest: 'hostile' }]), { path: '/a'.repeat(1_000) })).toEqual([ofTheFile]);
});

it('reloads versions when the revision of the project changes', async () => {
  const service = serviceOf([{ digest: 'open' }]);
  await judge(service, {}, {});
  await judge(service, { settings: { robotsRevision: '2' } });
  expect(queries).toEqual(['versions', 'texts open', 'versions']);
});

it('shares one index among all agents that no group names', async () => {
  TEXTS['many'] = 'User-agent: *\nAllow: /\n'.repeat(20_000);
  const service = serviceOf([{ digest: 'many' }]);
  const join = jest.spyOn(Array.prototype, 'join');
  const agents = bundledCatalog().agents.map(({ token }) => token);
  const judgments = await judge(service, ...agents.map((agent) => ({ agent })));
  const joined = join.mock.contexts.filter((joined) => (joined as unknown[]).length === 20_000);
  join.mockRestore();
  expect(agents.length).toBeGreaterThan(1_000);
  expect(new Set(judgments.map(({ verdict }) => verdict))).toEqual(new Set(['allowed']));
  expect(joined).toHaveLength(1);
});
