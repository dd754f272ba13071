import { agentId, getBundledCatalog, CurrentCatalog } from '#libs/catalog';
import { measureCostRatio } from '../../../test/kit/cost.js';
import type { RobotsJudgment, Visit } from '#libs/contracts';
import type { ProjectSettings } from './project-settings.repository.js';
import { RobotsService, type RobotsRequest } from './robots.service.js';
import type { RobotsVersionsRepository, StoredRobotsVersion } from './robots-versions.repository.js';

class BundledCatalog extends CurrentCatalog {}

const HOUR_MS = 3_600_000;
const [FIRST, SECOND, THIRD] = [1, 2, 3].map((hours) => hours * HOUR_MS) as [number, number, number];
const TEXTS: Record<string, string> = {
  open: 'User-agent: GPTBot\nAllow: /\nDisallow: /private/',
  closed: 'User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/',
};

let queries: string[];
const services: RobotsService[] = [];
afterEach(() => services.splice(0).forEach((service) => service.onApplicationShutdown()));

function createService(versions: Partial<StoredRobotsVersion>[]): RobotsService {
  queries = [];
  const allVersions = versions.map((version, index) => ({
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
      return new Map(ids.map((id) => [id, allVersions]));
    },
    text: async (digest: string) => {
      queries.push(`text ${digest}`);
      return TEXTS[digest];
    },
  } as unknown as RobotsVersionsRepository;
  const service = new RobotsService(repository, new BundledCatalog());
  services.push(service);
  return service;
}

interface RequestOverrides {
  headers?: Record<string, unknown>;
  path?: string;
  at?: number;
  agent?: string;
  settings?: Partial<ProjectSettings>;
  projectId?: string;
}

const judge = (service: RobotsService, ...fetches: RequestOverrides[]): Promise<RobotsJudgment[]> =>
  service.judgeAll(fetches.map(createRequest));

function createRequest({ headers, path, at, agent, settings, projectId }: RequestOverrides): RobotsRequest {
  return {
    projectId: projectId ?? '019a0000-0000-7000-8000-000000000000',
    project: { siteHosts: ['shop.example', 'blog.example:8443'], robotsRevision: '1', ...settings } as ProjectSettings,
    agentId: agentId(agent ?? 'GPTBot'),
    visit: {
      request_headers: (headers ?? { Host: 'shop.example' }) as Visit['request_headers'],
      request_path: path ?? '/private/a',
    },
    at: at ?? FIRST,
  };
}

it('judges each visit by the robots.txt version that was active at the time', async () => {
  const service = createService([
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
  expect(queries).toEqual(['versions', 'text open', 'text closed']);
  await judge(service, { at: SECOND });
  expect(queries).toHaveLength(3);
});

it("applies the agent's group, or the * group if no group names the agent", async () => {
  const service = createService([{ digest: 'closed' }]);
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
])('judges visits after a %p response as %s and always allows robots.txt itself', async (status, verdict) => {
  const service = createService([{ status }]);
  expect(await judge(service, {}, { path: '/robots.txt' })).toEqual([
    { verdict, version: 'version 0', line: null },
    { verdict: 'allowed', version: 'version 0', line: null },
  ]);
});

it.each<[string, Record<string, unknown>, string | null]>([
  ['a mixed-case host', { HOST: 'Shop.Example' }, 'version 0'],
  ['a host with a port', { host: 'shop.example:443' }, 'version 0'],
  ['a host with a trailing dot', { host: 'shop.example.' }, 'version 0'],
  ['a host whose port is in the settings', { host: 'blog.example:8443' }, 'version 1'],
  [
    'an :authority header that differs from Host',
    { host: 'shop.example', ':authority': 'blog.example:8443' },
    'version 1',
  ],
  ['a missing host', { 'user-agent': 'x' }, 'version 0'],
  ['an internal IP address', { host: '10.0.0.7:3000' }, 'version 0'],
  ['an internal host name', { host: 'app' }, 'version 0'],
  ["another site's host", { host: 'other.example' }, null],
  ['multiple Host values', { host: ['shop.example', 'blog.example'] }, null],
])('selects the robots.txt version for %s', async (_, headers, version) => {
  const service = createService([{}, { host: 'blog.example:8443' }]);
  expect(await judge(service, { headers })).toMatchObject([{ version }]);
});

it('returns unknown if rules are missing, inapplicable or too slow to evaluate', async () => {
  const unknown = { verdict: 'unknown', version: null, line: null };
  expect(await judge(createService([{ digest: 'open' }]), { settings: { robotsRevision: null } })).toEqual([unknown]);
  expect(queries).toEqual([]);
  expect(await judge(createService([]), {}, { path: '/robots.txt' })).toEqual([
    unknown,
    { ...unknown, verdict: 'allowed' },
  ]);
  expect(await judge(createService([{ digest: 'open' }]), { headers: {}, settings: { siteHosts: [] } })).toEqual([
    unknown,
  ]);
  const unknownInFile = { ...unknown, version: 'version 0' };
  expect(await judge(createService([{ digest: 'open' }]), { path: '*' })).toEqual([unknownInFile]);
  TEXTS['hostile'] = `User-agent: *\n${Array.from({ length: 20_000 }, (_, at) => `Disallow: /*a*${at}b`).join('\n')}`;
  expect(await judge(createService([{ digest: 'hostile' }]), { path: '/a'.repeat(1_000) })).toEqual([unknownInFile]);
});

describe('with a limit for parsing', () => {
  const [open, closed] = [{ at: FIRST }, { at: SECOND }];

  const createServiceWithTwoFiles = (): RobotsService =>
    createService([
      { from: FIRST, until: SECOND, digest: 'open' },
      { from: SECOND, until: THIRD, digest: 'closed' },
    ]);

  async function getVerdicts(service: RobotsService, ...fetches: RequestOverrides[]): Promise<string[]> {
    return (await service.judgeAll(fetches.map(createRequest), 1)).map(({ verdict }) => verdict);
  }

  it('uses cached files, but parses no more files after reaching the limit', async () => {
    const service = createServiceWithTwoFiles();
    expect(await getVerdicts(service, open, closed)).toEqual(['disallowed', 'unknown']);
    expect(await getVerdicts(service, open, closed)).toEqual(['disallowed', 'disallowed']);
  });

  it('parses a file for another project after the first project has reached the limit', async () => {
    const fromOtherProject = { ...closed, projectId: '019a0000-0000-7000-8000-000000000001' };
    const verdicts = await getVerdicts(createServiceWithTwoFiles(), open, closed, fromOtherProject);
    expect(verdicts).toEqual(['disallowed', 'disallowed', 'disallowed']);
  });
});

it("reloads versions when the project's revision changes", async () => {
  const service = createService([{ digest: 'open' }]);
  await judge(service, {}, {});
  await judge(service, { settings: { robotsRevision: '2' } });
  expect(queries).toEqual(['versions', 'text open', 'versions']);
});

describe('hostile files', () => {
  /** A group for each agent, and a large group for all of them. */
  const createSharedGroup = (tokens: readonly string[]): string => {
    const ownGroups = tokens.map((token) => `User-agent: ${token}\nAllow: /${token}\n`).join('');
    const names = tokens.map((token) => `User-agent: ${token}\n`).join('');
    return `${ownGroups}${names}${Array.from({ length: 20_000 }, (_, line) => `Disallow: /${line}`).join('\n')}`;
  };

  it('indexes a group once for all agents that share it', async () => {
    const agents = getBundledCatalog().agents.flatMap(({ robots_token: token }) => token ?? []);
    const tokens = agents.filter((token) => /^[A-Za-z-]+$/.test(token)).slice(0, 100);
    TEXTS['shared'] = createSharedGroup(tokens);
    const judgeAgents = (names: readonly string[]) => async () => {
      const fetches = names.map((agent) => ({ agent, path: '/19999' }));
      const judgments = await judge(createService([{ digest: 'shared' }]), ...fetches);
      expect(new Set(judgments.map(({ verdict }) => verdict))).toEqual(new Set(['disallowed']));
    };
    expect(tokens).toHaveLength(100);
    expect(await measureCostRatio(judgeAgents(tokens), judgeAgents(tokens.slice(0, 1)), 5)).toBeLessThan(20);
  });

  it("combines an agent's small groups", async () => {
    TEXTS['many'] = 'User-agent: *\nAllow: /\n'.repeat(20_000);
    TEXTS['one'] = `User-agent: *\n${'Allow: /\n'.repeat(20_000)}`;
    const judgeBy = (digest: string) => async () => {
      const judgments = await judge(createService([{ digest }]), ...Array.from({ length: 200 }, () => ({})));
      expect(new Set(judgments.map(({ verdict }) => verdict))).toEqual(new Set(['allowed']));
    };
    expect(await measureCostRatio(judgeBy('many'), judgeBy('one'), 5)).toBeLessThan(20);
  });

  it('lets other requests run while it judges many visits', async () => {
    TEXTS['slow'] = `User-agent: *\n${'Disallow: /*a*b*c\nAllow: /*d*e\n'.repeat(40)}`.replaceAll(
      'c',
      () => `c${Math.random()}`,
    );
    const service = createService([{ digest: 'slow' }]);
    const visits = Array.from({ length: 5_000 }, () => ({ path: `/${'a'.repeat(1_000)}` }));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await judge(service, ...visits);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it('limits the memory that cached files use', async () => {
    const digests = ['large 0', 'large 1', 'large 2', 'large 3'];
    for (const digest of digests) TEXTS[digest] = `User-agent: *\n${'Allow: /\n'.repeat(50_000)}#${digest}`;
    const service = createService(digests.map((digest, hour) => ({ digest, from: hour, until: hour + 1 })));
    await judge(service, ...digests.map((_, at) => ({ at })));
    queries.length = 0;
    await judge(service, { at: 0 });
    expect(queries).toEqual(['text large 0']);
  });
});
