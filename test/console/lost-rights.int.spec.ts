import type { ProjectRole } from '#libs/contracts';
import { v7 } from 'uuid';
import { PasswordHasher } from '../../apps/console/src/passwords/password-hasher.service.js';
import { App, type TestResponse } from '../kit/app.js';
import { until } from '../kit/instance.js';
import { Person } from '../kit/person.js';

const PASSWORD = 'correct horse battery';

interface State {
  isAdmin: boolean;
  role: ProjectRole | null;
}

interface Case {
  from: State;
  /** Null if the account is deleted. */
  to: State | null;
  by: 'administrator' | 'themselves';
}

/** Credentials and links that the person was allowed to create. */
interface Grants {
  adminKey?: string;
  limitedKey?: string;
  keyOfKey?: string;
  reset?: string;
  invitation?: string;
  invitationOfKey?: string;
  invitationElsewhere?: string;
}

const ROLES = [null, 'viewer', 'member', 'owner'] as const;
const INITIAL_STATES = [false, true].flatMap((isAdmin) => ROLES.map((role): State => ({ isAdmin, role })));

/** All instance role changes for each project role, project role changes, and removals. */
const CASES = INITIAL_STATES.flatMap((from): Case[] => [
  { from, to: null, by: 'administrator' },
  ...[false, true].map((isAdmin): Case => ({ from, to: { ...from, isAdmin }, by: 'administrator' })),
  ...(from.role === null ? [] : ROLES.map((role): Case => ({ from, to: { ...from, role }, by: 'administrator' }))),
  ...(from.role === null ? [] : [{ from, to: { ...from, role: null }, by: 'themselves' } as Case]),
]);

const describeState = (state: State | null): string =>
  state === null ? 'nobody' : `${state.isAdmin ? 'administrator' : 'ordinary'} and ${state.role ?? 'no member'}`;

let app: App;
let passwordHash: string;
let personCount = 0;

beforeAll(async () => {
  app = await App.start();
  passwordHash = await app.nest.get(PasswordHasher).hash(PASSWORD, 'known');
  // Keep another administrator, because the instance always needs one.
  await addPerson({ isAdmin: true });
});
afterAll(() => app?.dispose());

const query = (sql: string, parameters: unknown[] = []): Promise<never[]> =>
  app.database.dataSource.query(sql, parameters);

async function addPerson({ isAdmin }: { isAdmin: boolean }): Promise<{ id: string; email: string }> {
  const [id, email] = [v7(), `person-${(personCount += 1)}@example.com`];
  await query(`INSERT INTO users (id, email, name, is_admin) VALUES ($1, $2, 'Ada', $3)`, [id, email, isAdmin]);
  await query(
    `INSERT INTO user_logins (id, user_id, provider, subject, password) VALUES ($1, $2::uuid, 'credential', $2::text, $3)`,
    [v7(), id, passwordHash],
  );
  return { id, email };
}

async function addProject(): Promise<string> {
  const { id } = (await app.api('POST', '/projects', { name: 'Site' })).body;
  await join(id, (await addPerson({ isAdmin: false })).id, 'owner');
  return id;
}

const join = (projectId: string, userId: string, role: ProjectRole | null) =>
  role &&
  query(`INSERT INTO project_members (project_id, user_id, role) VALUES ($1, $2, $3)`, [projectId, userId, role]);

async function signIn({ email }: { email: string }): Promise<Person> {
  const person = new Person(app.nest);
  expect((await person.signIn(email, PASSWORD)).status).toBe(200);
  return person;
}

const withKey = (key: string, method: 'GET' | 'POST', path: string, body?: unknown): Promise<TestResponse> =>
  app.send(method, `/api${path}`, body, { authorization: `Bearer ${key}` });

/** Creates every resource that the person is allowed to create. All other attempts must be rejected. */
async function createGrants(
  person: Person,
  projectId: string,
  elsewhere: string,
): Promise<{ made: Grants; token: string | null }> {
  const grants: Grants = {};
  const recordGrant = (name: keyof Grants, { status, body }: TestResponse): void => {
    if (status === 201) grants[name] = body.key ?? new URL(body.url).pathname;
    else expect([403, 404]).toContain(status);
  };
  recordGrant('adminKey', await person.call('POST', '/api-keys', {}));
  recordGrant('limitedKey', await person.call('POST', '/api-keys', { project_ids: [projectId] }));
  recordGrant(
    'reset',
    await person.call('POST', '/password-resets', { email: (await addPerson({ isAdmin: false })).email }),
  );
  recordGrant('invitation', await person.call('POST', `/projects/${projectId}/invitations`, { role: 'owner' }));
  recordGrant(
    'invitationElsewhere',
    await person.call('POST', `/projects/${elsewhere}/invitations`, { role: 'owner' }),
  );
  if (grants.adminKey !== undefined) {
    recordGrant('keyOfKey', await withKey(grants.adminKey, 'POST', '/api-keys', {}));
    recordGrant(
      'invitationOfKey',
      await withKey(grants.limitedKey!, 'POST', `/projects/${projectId}/invitations`, { role: 'owner' }),
    );
  }
  const token = await person.call('POST', `/projects/${projectId}/tokens`, {});
  return { made: grants, token: token.body.token ?? null };
}

/** Returns the names of the credentials and links that still work. */
async function findWorkingGrants(grants: Grants): Promise<(keyof Grants)[]> {
  const names: (keyof Grants)[] = [];
  for (const [name, value] of Object.entries(grants) as [keyof Grants, string][]) {
    const { status } = value.startsWith('/')
      ? await new Person(app.nest).call('GET', value)
      : await withKey(value, 'GET', '/projects');
    expect([200, 401, 404]).toContain(status);
    if (status === 200) names.push(name);
  }
  return names.sort();
}

/** Returns the names of the credentials and links that a person in this state is allowed to grant. */
function allowedGrants(state: State | null): (keyof Grants)[] {
  if (state === null) return [];
  const ownerGrants: (keyof Grants)[] = ['invitation', 'invitationOfKey'];
  const administratorGrants: (keyof Grants)[] = ['adminKey', 'limitedKey', 'keyOfKey', 'reset', 'invitationElsewhere'];
  return state.isAdmin ? [...administratorGrants, ...ownerGrants].sort() : state.role === 'owner' ? ownerGrants : [];
}

function change({ from, to, by }: Case, id: string, projectId: string, person: Person): Promise<TestResponse> {
  if (to === null) return app.api('DELETE', `/users/${id}`);
  if (to.role === from.role) return app.api('PATCH', `/users/${id}`, { is_admin: to.isAdmin });
  const path = `/projects/${projectId}/members/${id}`;
  if (to.role !== null) return app.api('PATCH', path, { role: to.role });
  return by === 'themselves' ? person.call('DELETE', path) : app.api('DELETE', path);
}

it.each(
  CASES.map((testCase) => [describeState(testCase.from), describeState(testCase.to), testCase.by, testCase] as const),
)(
  'revokes grants that a person is no longer allowed to make (%s → %s, changed by: %s)',
  async (_from, _to, _by, testCase) => {
    const [projectId, elsewhere] = [await addProject(), await addProject()];
    const someone = await addPerson({ isAdmin: testCase.from.isAdmin });
    await join(projectId, someone.id, testCase.from.role);
    const person = await signIn(someone);
    const { made: grants, token } = await createGrants(person, projectId, elsewhere);
    // Only administrators can have keys that create invitations.
    const before = allowedGrants(testCase.from).filter((name) => testCase.from.isAdmin || name !== 'invitationOfKey');
    expect(await findWorkingGrants(grants)).toEqual(before);

    const response = await change(testCase, someone.id, projectId, person);
    expect([200, 204]).toContain(response.status);
    const remaining = before.filter((name) => allowedGrants(testCase.to).includes(name));
    expect(await findWorkingGrants(grants)).toEqual(remaining);
    if (response.body?.ended !== undefined) {
      const { api_keys, invitations, password_resets } = response.body.ended;
      expect(api_keys + invitations + password_resets).toBe(before.length - remaining.length);
      const { made: counts } = response.body;
      expect(counts.api_keys + counts.invitations + counts.password_resets).toBe(remaining.length);
    }
    // Access tokens remain valid, so sites can continue to report visits.
    if (token !== null) {
      const visit = { request_path: '/', request_method: 'GET', request_headers: {} };
      expect((await app.post('/visits', visit, { authorization: `Bearer ${token}` })).status).toBe(204);
    }
  },
);

it('records the creator, even for keys and invitations created with an API key', async () => {
  const projectId = await addProject();
  const someone = await addPerson({ isAdmin: true });
  const person = await signIn(someone);
  await createGrants(person, projectId, await addProject());
  const { api_keys: keys } = (await person.call('GET', '/api-keys')).body;
  expect(keys.filter((key: { created_by: string }) => key.created_by === someone.email)).toHaveLength(3);
  const { invitations } = (await person.call('GET', `/projects/${projectId}/members`)).body;
  expect(invitations.map((testCase: { created_by: string }) => testCase.created_by)).toEqual([
    someone.email,
    someone.email,
  ]);
  const { tokens } = (await person.call('GET', `/projects/${projectId}/tokens`)).body;
  expect(tokens[0].created_by).toBe(someone.email);
  await join(projectId, someone.id, 'owner');
  await app.api('PATCH', `/users/${someone.id}`, { is_admin: false });
  const { members } = (await app.api('GET', `/projects/${projectId}/members`)).body;
  expect(members.find((member: { user_id: string }) => member.user_id === someone.id).invitations).toBe(2);
});

describe('concurrent loss of rights', () => {
  const isRequestWaiting = async (): Promise<boolean> => {
    const rows = await query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1`,
    );
    return rows.length > 0;
  };

  /** Sends a request during an uncommitted demotion, ends the transaction, and returns the response. */
  async function requestDuringDemotion(
    id: string,
    end: 'COMMIT' | 'ROLLBACK',
    request: () => Promise<TestResponse>,
  ): Promise<TestResponse> {
    const runner = app.database.dataSource.createQueryRunner();
    try {
      await runner.query('BEGIN');
      await runner.query(`UPDATE users SET is_admin = false WHERE id = $1`, [id]);
      const response = request();
      await until(isRequestWaiting, { condition: 'the request waits for the change' });
      await runner.query(end);
      return await response;
    } finally {
      await runner.release();
    }
  }

  const account = () => ({ name: 'Eve', email: `eve-${(personCount += 1)}@example.com`, password: PASSWORD });

  it.each([
    ['COMMIT', { invitation: 404, reset: 404, key: 403, promotion: 403, member: 403, link: 403 }],
    ['ROLLBACK', { invitation: 200, reset: 200, key: 201, promotion: 200, member: 200, link: 201 }],
  ] as const)('rejects pending grants on commit and allows them on rollback (%s)', async (end, expected) => {
    const projectId = await addProject();
    const someone = await addPerson({ isAdmin: true });
    const friend = await addPerson({ isAdmin: false });
    await join(projectId, friend.id, 'viewer');
    const person = await signIn(someone);
    const { made: grants } = await createGrants(person, projectId, await addProject());
    const requests: Record<keyof typeof expected, () => Promise<TestResponse>> = {
      invitation: () => new Person(app.nest).call('POST', grants.invitation!, account()),
      reset: () => new Person(app.nest).call('POST', grants.reset!, { password: 'another battery staple' }),
      key: () => person.call('POST', '/api-keys', {}),
      promotion: () => person.call('PATCH', `/users/${friend.id}`, { is_admin: true }),
      member: () => person.call('PATCH', `/projects/${projectId}/members/${friend.id}`, { role: 'owner' }),
      link: () => person.call('POST', '/password-resets', { email: friend.email }),
    };
    for (const [name, request] of Object.entries(requests)) {
      await query(`UPDATE users SET is_admin = true WHERE id = $1`, [someone.id]);
      const { status } = await requestDuringDemotion(someone.id, end, request);
      expect([name, status]).toEqual([name, expected[name as keyof typeof expected]]);
    }
  });

  it('leaves one administrator when two demote each other, without a deadlock', async () => {
    const projectId = await addProject();
    const [testCase, other] = [await addPerson({ isAdmin: true }), await addPerson({ isAdmin: true })];
    for (const { id } of [testCase, other]) await join(projectId, id, 'owner');
    const [first, second] = [await signIn(testCase), await signIn(other)];
    const both = await Promise.all([
      first.call('PATCH', `/users/${other.id}`, { is_admin: false }),
      second.call('PATCH', `/users/${testCase.id}`, { is_admin: false }),
      first.call('PATCH', `/projects/${projectId}/members/${other.id}`, { role: 'member' }),
      second.call('PATCH', `/projects/${projectId}/members/${testCase.id}`, { role: 'member' }),
    ]);
    expect(
      both
        .slice(0, 2)
        .map(({ status }) => status)
        .sort(),
    ).toEqual([200, 403]);
    for (const { status } of both) expect([200, 403]).toContain(status);
  });
});
