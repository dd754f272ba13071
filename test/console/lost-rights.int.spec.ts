import type { ProjectRole } from '#libs/contracts';
import { v7 } from 'uuid';
import { PasswordHasher } from '../../apps/console/src/passwords/password-hasher.service.js';
import { App, type Answer } from '../kit/app.js';
import { until } from '../kit/instance.js';
import { Person } from '../kit/person.js';

const PASSWORD = 'correct horse battery';

interface State {
  isAdmin: boolean;
  role: ProjectRole | null;
}

interface Case {
  from: State;
  /** Null if the account is removed. */
  to: State | null;
  by: 'administrator' | 'themselves';
}

/** Credentials and links that a person was allowed to create. */
interface Made {
  adminKey?: string;
  limitedKey?: string;
  keyOfKey?: string;
  reset?: string;
  invitation?: string;
  invitationOfKey?: string;
  invitationElsewhere?: string;
}

const ROLES = [null, 'viewer', 'member', 'owner'] as const;
const FROM = [false, true].flatMap((isAdmin) => ROLES.map((role): State => ({ isAdmin, role })));

/** Changes of the instance role with any project role, changes of the project role, and removals. */
const CASES = FROM.flatMap((from): Case[] => [
  { from, to: null, by: 'administrator' },
  ...[false, true].map((isAdmin): Case => ({ from, to: { ...from, isAdmin }, by: 'administrator' })),
  ...(from.role === null ? [] : ROLES.map((role): Case => ({ from, to: { ...from, role }, by: 'administrator' }))),
  ...(from.role === null ? [] : [{ from, to: { ...from, role: null }, by: 'themselves' } as Case]),
]);

const named = (state: State | null): string =>
  state === null ? 'nobody' : `${state.isAdmin ? 'administrator' : 'ordinary'} and ${state.role ?? 'no member'}`;

let app: App;
let passwordHash: string;
let people = 0;

beforeAll(async () => {
  app = await App.start();
  passwordHash = await app.nest.get(PasswordHasher).hash(PASSWORD, 'known');
  // The instance always needs an administrator.
  await addPerson({ isAdmin: true });
});
afterAll(() => app?.dispose());

const query = (sql: string, parameters: unknown[] = []): Promise<never[]> =>
  app.database.dataSource.query(sql, parameters);

async function addPerson({ isAdmin }: { isAdmin: boolean }): Promise<{ id: string; email: string }> {
  const [id, email] = [v7(), `person-${(people += 1)}@example.com`];
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

async function signedIn({ email }: { email: string }): Promise<Person> {
  const person = new Person(app.nest);
  expect((await person.signIn(email, PASSWORD)).status).toBe(200);
  return person;
}

const withKey = (key: string, method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> =>
  app.send(method, `/api${path}`, body, { authorization: `Bearer ${key}` });

/** Creates everything the person may create. Anything else must be rejected. */
async function makeAll(
  person: Person,
  projectId: string,
  elsewhere: string,
): Promise<{ made: Made; token: string | null }> {
  const made: Made = {};
  const keep = (name: keyof Made, { status, body }: Answer): void => {
    if (status === 201) made[name] = body.key ?? new URL(body.url).pathname;
    else expect([403, 404]).toContain(status);
  };
  keep('adminKey', await person.call('POST', '/api-keys', {}));
  keep('limitedKey', await person.call('POST', '/api-keys', { project_ids: [projectId] }));
  keep('reset', await person.call('POST', '/password-resets', { email: (await addPerson({ isAdmin: false })).email }));
  keep('invitation', await person.call('POST', `/projects/${projectId}/invitations`, { role: 'owner' }));
  keep('invitationElsewhere', await person.call('POST', `/projects/${elsewhere}/invitations`, { role: 'owner' }));
  if (made.adminKey !== undefined) {
    keep('keyOfKey', await withKey(made.adminKey, 'POST', '/api-keys', {}));
    keep(
      'invitationOfKey',
      await withKey(made.limitedKey!, 'POST', `/projects/${projectId}/invitations`, { role: 'owner' }),
    );
  }
  const token = await person.call('POST', `/projects/${projectId}/tokens`, {});
  return { made, token: token.body.token ?? null };
}

/** Returns the names of the credentials and links that work. */
async function working(made: Made): Promise<(keyof Made)[]> {
  const names: (keyof Made)[] = [];
  for (const [name, value] of Object.entries(made) as [keyof Made, string][]) {
    const { status } = value.startsWith('/')
      ? await new Person(app.nest).call('GET', value)
      : await withKey(value, 'GET', '/projects');
    expect([200, 401, 404]).toContain(status);
    if (status === 200) names.push(name);
  }
  return names.sort();
}

/** Returns what a person in this state may grant. */
function rightsOf(state: State | null): (keyof Made)[] {
  if (state === null) return [];
  const ofOwners: (keyof Made)[] = ['invitation', 'invitationOfKey'];
  const ofAdministrators: (keyof Made)[] = ['adminKey', 'limitedKey', 'keyOfKey', 'reset', 'invitationElsewhere'];
  return state.isAdmin ? [...ofAdministrators, ...ofOwners].sort() : state.role === 'owner' ? ofOwners : [];
}

function change({ from, to, by }: Case, id: string, projectId: string, person: Person): Promise<Answer> {
  if (to === null) return app.api('DELETE', `/users/${id}`);
  if (to.role === from.role) return app.api('PATCH', `/users/${id}`, { is_admin: to.isAdmin });
  const path = `/projects/${projectId}/members/${id}`;
  if (to.role !== null) return app.api('PATCH', path, { role: to.role });
  return by === 'themselves' ? person.call('DELETE', path) : app.api('DELETE', path);
}

it.each(CASES.map((one) => [named(one.from), named(one.to), one.by, one] as const))(
  'revokes what a person may no longer grant: %s → %s, changed by: %s',
  async (_from, _to, _by, one) => {
    const [projectId, elsewhere] = [await addProject(), await addProject()];
    const someone = await addPerson({ isAdmin: one.from.isAdmin });
    await join(projectId, someone.id, one.from.role);
    const person = await signedIn(someone);
    const { made, token } = await makeAll(person, projectId, elsewhere);
    // Only administrators have keys that can create invitations.
    const before = rightsOf(one.from).filter((name) => one.from.isAdmin || name !== 'invitationOfKey');
    expect(await working(made)).toEqual(before);

    const answer = await change(one, someone.id, projectId, person);
    expect([200, 204]).toContain(answer.status);
    const left = before.filter((name) => rightsOf(one.to).includes(name));
    expect(await working(made)).toEqual(left);
    if (answer.body?.ended !== undefined) {
      const { api_keys, invitations, password_resets } = answer.body.ended;
      expect(api_keys + invitations + password_resets).toBe(before.length - left.length);
      const { made: counts } = answer.body;
      expect(counts.api_keys + counts.invitations + counts.password_resets).toBe(left.length);
    }
    // Access tokens keep working, so sites continue to report visits.
    if (token !== null) {
      const visit = { request_path: '/', request_method: 'GET', request_headers: {} };
      expect((await app.post('/visits', visit, { authorization: `Bearer ${token}` })).status).toBe(204);
    }
  },
);

it('records the creator, including for keys and invitations created with a key', async () => {
  const projectId = await addProject();
  const someone = await addPerson({ isAdmin: true });
  const person = await signedIn(someone);
  await makeAll(person, projectId, await addProject());
  const { api_keys: keys } = (await person.call('GET', '/api-keys')).body;
  expect(keys.filter((key: { created_by: string }) => key.created_by === someone.email)).toHaveLength(3);
  const { invitations } = (await person.call('GET', `/projects/${projectId}/members`)).body;
  expect(invitations.map((one: { created_by: string }) => one.created_by)).toEqual([someone.email, someone.email]);
  const { tokens } = (await person.call('GET', `/projects/${projectId}/tokens`)).body;
  expect(tokens[0].created_by).toBe(someone.email);
  await join(projectId, someone.id, 'owner');
  await app.api('PATCH', `/users/${someone.id}`, { is_admin: false });
  const { members } = (await app.api('GET', `/projects/${projectId}/members`)).body;
  expect(members.find((member: { user_id: string }) => member.user_id === someone.id).invitations).toBe(2);
});

describe('concurrent loss of rights', () => {
  const waiting = async (): Promise<boolean> => {
    const rows = await query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1`,
    );
    return rows.length > 0;
  };

  /** Sends a request while the change is uncommitted, ends the transaction, and returns the response. */
  async function during(id: string, end: 'COMMIT' | 'ROLLBACK', request: () => Promise<Answer>): Promise<Answer> {
    const runner = app.database.dataSource.createQueryRunner();
    try {
      await runner.query('BEGIN');
      await runner.query(`UPDATE users SET is_admin = false WHERE id = $1`, [id]);
      const answer = request();
      await until(waiting, { what: 'the request waits for the change' });
      await runner.query(end);
      return await answer;
    } finally {
      await runner.release();
    }
  }

  const account = () => ({ name: 'Eve', email: `eve-${(people += 1)}@example.com`, password: PASSWORD });

  it.each([
    ['COMMIT', { invitation: 404, reset: 404, key: 403, promotion: 403, member: 403, link: 403 }],
    ['ROLLBACK', { invitation: 200, reset: 200, key: 201, promotion: 200, member: 200, link: 201 }],
  ] as const)('rejects pending grants if it commits, and allows them if it rolls back (%s)', async (end, expected) => {
    const projectId = await addProject();
    const someone = await addPerson({ isAdmin: true });
    const friend = await addPerson({ isAdmin: false });
    await join(projectId, friend.id, 'viewer');
    const person = await signedIn(someone);
    const { made } = await makeAll(person, projectId, await addProject());
    const requests: Record<keyof typeof expected, () => Promise<Answer>> = {
      invitation: () => new Person(app.nest).call('POST', made.invitation!, account()),
      reset: () => new Person(app.nest).call('POST', made.reset!, { password: 'another battery staple' }),
      key: () => person.call('POST', '/api-keys', {}),
      promotion: () => person.call('PATCH', `/users/${friend.id}`, { is_admin: true }),
      member: () => person.call('PATCH', `/projects/${projectId}/members/${friend.id}`, { role: 'owner' }),
      link: () => person.call('POST', '/password-resets', { email: friend.email }),
    };
    for (const [name, request] of Object.entries(requests)) {
      await query(`UPDATE users SET is_admin = true WHERE id = $1`, [someone.id]);
      const { status } = await during(someone.id, end, request);
      expect([name, status]).toEqual([name, expected[name as keyof typeof expected]]);
    }
  });

  it('leaves one of two administrators who demote each other, without a deadlock', async () => {
    const projectId = await addProject();
    const [one, other] = [await addPerson({ isAdmin: true }), await addPerson({ isAdmin: true })];
    for (const { id } of [one, other]) await join(projectId, id, 'owner');
    const [first, second] = [await signedIn(one), await signedIn(other)];
    const both = await Promise.all([
      first.call('PATCH', `/users/${other.id}`, { is_admin: false }),
      second.call('PATCH', `/users/${one.id}`, { is_admin: false }),
      first.call('PATCH', `/projects/${projectId}/members/${other.id}`, { role: 'member' }),
      second.call('PATCH', `/projects/${projectId}/members/${one.id}`, { role: 'member' }),
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
