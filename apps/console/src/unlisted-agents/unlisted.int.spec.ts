import type { TSchema } from 'typebox';
import { PatternTrialResultSchema, UnlistedSchema, validator, type EnrichedVisit } from '#libs/contracts';
import { App, type Json } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { storeVisits, rollUpCounts, type StoredVisit } from '../../../../test/kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const HOUR_MS = 3_600_000;
const RANGE = 'from=2026-11-15T00:00:00Z&to=2026-11-21T08:30:00Z';

/** Compiles a schema without `$id`s, because they aren't unique if it contains another schema twice. */
const compileSchema = (schema: object) =>
  validator(
    JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === '$id' ? undefined : value))) as TSchema,
  );
const [listSchema, trialSchema] = [compileSchema(UnlistedSchema), compileSchema(PatternTrialResultSchema)];

const ACME = 'AcmeFetch/* (+https://acme.example/)';
const SYNC = 'price-sync/*';
const BROWSER = 'Mozilla/* (Windows NT *; Win*; x*) AppleWebKit/* (KHTML, like Gecko) Chrome/* Safari/*';

const createSuspectedVisit = (
  user_agent_group: string,
  verdict: 'likely' | 'unclear',
  signs: string[],
  visit: Partial<StoredVisit> = {},
): StoredVisit => ({
  at: '2026-11-20T10:07:00Z',
  insights: { automation: { verdict, signs, user_agent_group } as NonNullable<EnrichedVisit['automation']> },
  ...visit,
});
const VISITS: StoredVisit[] = [
  createSuspectedVisit(ACME, 'likely', ['contact', 'isbot'], {
    at: '2026-11-18T10:07:00Z',
    address: '192.0.2.1',
    path: '/a?page=2',
    headers: { 'User-Agent': 'AcmeFetch/1.7 (+https://acme.example/)' },
  }),
  createSuspectedVisit(ACME, 'likely', ['contact', 'isbot'], {
    at: '2026-11-21T08:07:00Z',
    address: '192.0.2.9',
    path: '/a',
  }),
  createSuspectedVisit(ACME, 'unclear', ['contact'], {
    at: '2026-11-21T08:05:00Z',
    address: '198.51.100.1',
    path: '/b',
  }),
  createSuspectedVisit(SYNC, 'likely', ['http_library'], { keptAs: 'counted' }),
  createSuspectedVisit(BROWSER, 'unclear', ['no_accept_language']),
  createSuspectedVisit(BROWSER, 'unclear', ['no_accept_language']),
  { at: '2026-11-20T10:07:00Z', insights: { automation: { verdict: 'unlikely', signs: [] } } },
  { at: '2026-11-20T10:07:00Z', agent: 'GPTBot' },
];

let app: App;
let id: string;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
});
beforeEach(async () => {
  id = (await app.api('POST', '/projects', { name: 'Shop' })).body.id as string;
  await storeVisits(app.database.dataSource, id, NOW, VISITS);
});

async function list(query = RANGE): Promise<Json> {
  const { status, body, text } = await app.api('GET', `/projects/${id}/unlisted?${query}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  expect(listSchema.faults(body)).toEqual([]);
  return body;
}
const getGroups = ({ groups }: Json): string[] => groups.map((group: Json) => group.user_agent_group);

describe('GET /api/projects/{id}/unlisted', () => {
  it('lists user agents by number of visits, before and after the roll-up', async () => {
    const expected = {
      likely: 3,
      unclear: 3,
      other_groups: 0,
      other_visits: 0,
      dismissed_visits: 0,
      has_network_names: false,
    };
    const acme = {
      user_agent_group: ACME,
      visits: 3,
      likely: 2,
      signs: ['contact', 'isbot'],
      networks: [
        { prefix: '192.0.2.0/24', client_network: null },
        { prefix: '198.51.100.0/24', client_network: null },
      ],
      paths: ['/a', '/b'],
      probed_paths: [],
      last_seen_at: '2026-11-21T08:07:00.000Z',
    };
    const first = await list();
    expect(first).toMatchObject(expected);
    expect(getGroups(first)).toEqual([ACME, BROWSER, SYNC]);
    expect(first.groups[0]).toMatchObject({ ...acme, first_seen_at: '2026-11-18T10:00:00.000Z' });
    expect(first.groups[2]).toMatchObject({ visits: 1, networks: [], paths: [], signs: ['http_library'] });
    for (const now of [NOW - 12 * HOUR_MS, NOW + 24 * HOUR_MS]) await rollUpCounts(app.database.dataSource, now);
    const summed = await list();
    expect(summed).toMatchObject(expected);
    expect(summed.groups[0]).toMatchObject({ ...acme, first_seen_at: '2026-11-18T00:00:00.000Z' });
  });

  it('returns the paths of visits that look like a vulnerability scan', async () => {
    const scan = ['/wp-login.php', '/.env', '/.env', '/'].map((path) =>
      createSuspectedVisit('scanner', 'likely', ['bare_name'], { path }),
    );
    await storeVisits(app.database.dataSource, id, NOW, scan);
    const { groups } = await list();
    expect(groups.find((group: Json) => group.user_agent_group === 'scanner').probed_paths).toEqual([
      '/.env',
      '/wp-login.php',
    ]);
  });

  it('filters by verdict and range', async () => {
    const likely = await list(`${RANGE}&automation=likely`);
    expect(likely.groups.map((group: Json) => [group.user_agent_group, group.visits])).toEqual([
      [ACME, 2],
      [SYNC, 1],
    ]);
    expect(likely).toMatchObject({ likely: 3, unclear: 3 });
    expect(getGroups(await list('from=2026-11-18T00:00:00Z&to=2026-11-19T00:00:00Z'))).toEqual([ACME]);
  });

  it('returns user agent groups by which stored visits can be filtered', async () => {
    const visits = async (filters: Record<string, string>): Promise<string[]> => {
      const query = new URLSearchParams(filters);
      const { body } = await app.api('GET', `/projects/${id}/visits?${query}`);
      return body.visits.map(({ visit }: Json) => visit.request_path);
    };
    expect(await visits({ user_agent_group: ACME })).toEqual(['/a', '/b', '/a?page=2']);
    expect(await visits({ user_agent_group: ACME, automation: 'likely' })).toEqual(['/a', '/a?page=2']);
    expect(await visits({ user_agent_group: SYNC })).toEqual([]);
  });
});

describe('dismissed user agents', () => {
  const url = (dismissedId = ''): string => `/projects/${id}/dismissed-user-agents${dismissedId && `/${dismissedId}`}`;
  const dismiss = (group: string) => app.api('POST', url(), { user_agent_group: group });

  it('hides a user agent until it is restored', async () => {
    const { status, body } = await dismiss(BROWSER);
    expect([status, body.user_agent_group]).toEqual([201, BROWSER]);
    expect((await dismiss(BROWSER)).body.id).toBe(body.id);
    const remaining = await list();
    expect(getGroups(remaining)).toEqual([ACME, SYNC]);
    expect(remaining).toMatchObject({ dismissed_visits: 2, unclear: 3 });
    expect((await app.api('GET', url())).body.dismissed).toEqual([body]);
    expect((await app.api('DELETE', url(body.id))).status).toBe(204);
    expect((await app.api('DELETE', url(body.id))).status).toBe(404);
    expect(getGroups(await list())).toContain(BROWSER);
  });

  it('rejects empty and multi-line user agents', async () => {
    expect((await dismiss('two\nlines')).status).toBe(422);
    expect((await dismiss('')).status).toBe(422);
  });
});

describe('POST /api/projects/{id}/pattern-trials', () => {
  const tryPatterns = (...patterns: string[]) =>
    app.api('POST', `/projects/${id}/pattern-trials`, { user_agent_patterns: patterns });

  it('counts the visits that would match the patterns', async () => {
    const { body } = await tryPatterns(String.raw`AcmeFetch\/\d`);
    expect(trialSchema.faults(body)).toEqual([]);
    expect(body).toMatchObject({ groups: 1, visits: 3, browser_visits: 0, browsers: { matching: 0, example: null } });
    expect((await tryPatterns('AcmeFetch', 'price-sync')).body).toMatchObject({ groups: 2, visits: 4 });
  });

  it('counts the browsers that would match the patterns', async () => {
    const { body } = await tryPatterns('Chrome');
    expect(body).toMatchObject({
      visits: 2,
      browser_visits: 2,
      browsers: { example: expect.stringContaining('Chrome') },
    });
    expect(body.browsers.matching).toBeGreaterThan(100);
    expect(body.browsers.tried).toBeGreaterThan(body.browsers.matching);
  });

  it.each([
    ['(a+)+b', 0],
    ['AcmeFetch(?=x)', 0],
    ['.*', 0],
  ])('rejects the pattern %s', async (pattern) => {
    const { status, body } = await tryPatterns(pattern);
    expect([status, body.errors[0].pointer]).toEqual([422, '/user_agent_patterns/0']);
  });
});
