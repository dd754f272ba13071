import { CurrentPolicySchema, MAX_POLICY_VERSIONS, validator, type PolicyRule } from '#libs/contracts';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const schema = validator(CurrentPolicySchema);
const ID = '018f0000-0000-7000-8000-000000000001';
const OTHER_ID = '018f0000-0000-7000-8000-000000000002';

const rule = (parts: object = {}): PolicyRule =>
  ({ id: ID, name: 'Training', mode: 'dry_run', action: { kind: 'refuse' }, ...parts }) as PolicyRule;

let app: App;
let id: string;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
});
beforeEach(async () => {
  ({ id } = (await app.api('POST', '/projects', { name: 'Shop' })).body);
});

const save = (rules: readonly object[]) => app.api('PUT', `/projects/${id}/policy`, { rules });

it('returns an empty policy before the first version is saved', async () => {
  const { body } = await app.api('GET', `/projects/${id}/policy`);
  expect(body).toEqual({ version: null, rules: [] });
});

it('saves versions and returns the newest', async () => {
  const rules = [
    rule({ visitors: { purposes: ['training'] }, requests: { paths: ['/docs/*.html$'] } }),
    rule({ id: OTHER_ID, name: 'Rest', mode: 'live', action: { kind: 'slow_down', requests_per_minute: 60 } }),
  ];
  const first = await save(rules);
  expect([first.status, schema.faults(first.body), first.body.rules]).toEqual([200, [], rules]);
  await save([]);
  expect((await app.api('GET', `/projects/${id}/policy`)).body.rules).toEqual([]);
  const { versions } = (await app.api('GET', `/projects/${id}/policy-versions`)).body;
  expect(versions.map((version: { rules: number }) => version.rules)).toEqual([0, 2]);
  const old = (await app.api('GET', `/projects/${id}/policy-versions/${versions[1].id}`)).body;
  expect([old.id, old.rules]).toEqual([first.body.version.id, rules]);
});

it('retains only the newest versions', async () => {
  for (let count = 0; count <= MAX_POLICY_VERSIONS; count += 1) await save([rule({ name: `Version ${count}` })]);
  const { versions } = (await app.api('GET', `/projects/${id}/policy-versions`)).body;
  expect(versions).toHaveLength(MAX_POLICY_VERSIONS);
  const oldest = (await app.api('GET', `/projects/${id}/policy-versions/${versions.at(-1).id}`)).body;
  expect(oldest.rules[0].name).toBe('Version 1');
});

/** Returns rules with a total number of path patterns. */
const manyPatterns = (count: number): object[] =>
  Array.from({ length: Math.ceil(count / 500) }, (_, index) =>
    rule({
      id: `018f0000-0000-7000-8000-${String(index).padStart(12, '0')}`,
      requests: { paths: Array.from({ length: Math.min(500, count - index * 500) }, (_entry, at) => `/${at}`) },
    }),
  );

const redirect = (location: string) => ({ action: { kind: 'redirect', status: 301, location } });

it.each<[string, object[], string]>([
  ['a repeated ID', [rule(), rule({ name: 'Same' })], '/rules/1/id'],
  [
    'the ID of the rule in an exception',
    [rule({ exceptions: [{ id: ID, visitors: {}, action: { kind: 'allow' } }] })],
    '/rules/0/exceptions/0/id',
  ],
  [
    'an exception without conditions',
    [rule({ exceptions: [{ id: OTHER_ID, action: { kind: 'allow' } }] })],
    '/rules/0/exceptions/0',
  ],
  ['a path that is exempt', [rule({ requests: { paths: ['/a', '/robots.txt$'] } })], '/rules/0/requests/paths/1'],
  ['a path below /.well-known/', [rule({ requests: { paths: ['/.well-known/x'] } })], '/rules/0/requests/paths/0'],
  ['a redirect to another host', [rule(redirect('//evil.example/'))], '/rules/0/action/location'],
  ['a redirect to a URL', [rule(redirect('https://evil.example/'))], '/rules/0/action/location'],
  ['a redirect with a backslash', [rule(redirect('/\\evil.example'))], '/rules/0/action/location'],
  ['a redirect to the requested path', [rule(redirect('/{path}'))], '/rules/0/action/location'],
  ['a redirect with a query', [rule(redirect('/{path}?format=md'))], '/rules/0/action/location'],
  ['a redirect with a fragment', [rule(redirect('/{path}#top'))], '/rules/0/action/location'],
  ['a redirect with dot segments', [rule(redirect('/a/../{path}'))], '/rules/0/action/location'],
  ['a redirect that can end in a dot segment', [rule(redirect('/{path}.'))], '/rules/0/action/location'],
  ['an ID in upper case', [rule({ id: ID.toUpperCase() })], '/rules/0/id'],
  ['too many path patterns', manyPatterns(2_001), '/rules'],
  ['two placeholders', [rule(redirect('/{path}/{path}'))], '/rules/0/action/location'],
  [
    'an invalid network',
    [rule({ visitors: { networks: ['192.0.2.1', '192.0.2.0/33'] } })],
    '/rules/0/visitors/networks/1',
  ],
  ['an unknown mode', [rule({ mode: 'on' })], '/rules/0/mode'],
  ['an unknown action', [rule({ action: { kind: 'ban' } })], '/rules/0/action/kind'],
  ['a lower-case method', [rule({ requests: { methods: ['get'] } })], '/rules/0/requests/methods/0'],
  [
    'a limit of 0',
    [rule({ action: { kind: 'slow_down', requests_per_minute: 0 } })],
    '/rules/0/action/requests_per_minute',
  ],
])('rejects %s', async (_, rules, pointer) => {
  const { status, body } = await save(rules);
  expect([status, body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([422, [pointer]]);
  expect((await app.api('GET', `/projects/${id}/policy`)).body.version).toBeNull();
});

it('sums the decisions of the last 30 days by rule, mode and outcome', async () => {
  const insert = (hour: string, outcome: string, decisions: number) =>
    app.database.dataSource.query(`INSERT INTO policy_decisions VALUES ($1, $2, $3, 'live', $4, $5)`, [
      id,
      ID,
      hour,
      outcome,
      decisions,
    ]);
  await insert('2026-10-22T23:00:00Z', 'slowed', 1);
  await insert('2026-10-23T00:00:00Z', 'slowed', 2);
  await insert('2026-11-21T08:00:00Z', 'slowed', 4);
  await insert('2026-11-21T08:00:00Z', 'allowed', 8);
  expect((await app.api('GET', `/projects/${id}/policy/counts`)).body).toEqual({
    from: '2026-10-23T00:00:00.000Z',
    counts: [
      { rule_id: ID, mode: 'live', outcome: 'allowed', decisions: 8 },
      { rule_id: ID, mode: 'live', outcome: 'slowed', decisions: 6 },
    ],
    last_hour: '2026-11-21T08:00:00.000Z',
  });
});

it('stores a forecast with a version, and compares it with the outcome', async () => {
  const { status } = await app.api('PUT', `/projects/${id}/policy`, { rules: [rule()], forecast_days: 7 });
  expect(status).toBe(200);
  const compare = async () => (await app.api('GET', `/projects/${id}/policy/outcomes`)).body.versions;
  expect(await compare()).toMatchObject([{ replaced_at: null, rules: [] }]);
  await save([rule()]);
  expect(await compare()).toMatchObject([{ replaced_at: expect.any(String) }]);
});
