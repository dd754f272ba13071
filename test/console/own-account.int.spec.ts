import { App, type Json } from '../kit/app.js';
import { until } from '../kit/instance.js';
import { Person } from '../kit/person.js';
import { createMember, PASSWORD, type Member } from '../kit/tenant.js';

let app: App;
let admin: Person;
let projectId: string;

beforeAll(async () => {
  app = await App.start();
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  projectId = (await app.api('POST', '/projects', { name: 'Site' })).body.id;
});
afterAll(() => app?.dispose());

const query = (sql: string, parameters: unknown[] = []): Promise<Json[]> =>
  app.database.dataSource.query(sql, parameters);
const change = (person: Person, body: object) => person.call('PATCH', '/account', body);
const withKey = (key: string, method: string, path: string, body?: unknown) =>
  app.send(method as 'GET', `/api${path}`, body, { authorization: `Bearer ${key}` });

describe('name and email address', () => {
  it('changes the name and email address with the current password, with immediate effect', async () => {
    const person = await createMember(admin, projectId, 'member');
    const email = `new-${person.email}`;
    const { status, body } = await change(person, {
      name: 'Grace',
      email: email.toUpperCase(),
      current_password: PASSWORD,
    });
    expect([status, body.user]).toEqual([200, { id: person.id, email, name: 'Grace', is_admin: false }]);
    expect((await person.call('GET', '/session')).body.user).toMatchObject({ email, name: 'Grace' });
    const { members } = (await admin.call('GET', `/projects/${projectId}/members`)).body;
    expect(members).toContainEqual(expect.objectContaining({ user_id: person.id, email, name: 'Grace' }));
    expect((await new Person(app.nest).signIn(email, PASSWORD)).status).toBe(200);
    expect((await new Person(app.nest).signIn(person.email, PASSWORD)).status).toBe(401);
  });

  it('rejects a new name or email address without the correct password', async () => {
    const person = await createMember(admin, projectId, 'member');
    for (const [body, detail] of [
      [{ name: 'Eve' }, 'is required: enter your current password'],
      [{ email: 'eve@example.com', current_password: 'a wrong password' }, 'is incorrect'],
    ] as const) {
      const response = await change(person, body);
      expect([response.status, response.body.errors]).toEqual([422, [{ pointer: '/current_password', detail }]]);
    }
    expect((await person.call('GET', '/account')).body.user).toMatchObject({ name: 'Person', email: person.email });
  });

  it('limits password guesses when the name or email address is changed', async () => {
    const person = await createMember(admin, projectId, 'member');
    const guess = async () => (await change(person, { name: 'Eve', current_password: 'a wrong password' })).status;
    // The limit allows a burst of ten attempts, then one per minute. Try a few more times in case the machine is slow.
    const responses = [await guess()];
    while (responses.at(-1) === 422 && responses.length < 20) responses.push(await guess());
    expect(responses.at(-1)).toBe(429);
    expect((await change(person, { name: 'Eve', current_password: PASSWORD })).status).toBe(429);
  });

  it("rejects another account's email address, and marks a new address as unverified", async () => {
    const [one, other] = [
      await createMember(admin, projectId, 'member'),
      await createMember(admin, projectId, 'viewer'),
    ];
    const conflict = await change(one, { email: other.email.toUpperCase(), current_password: PASSWORD });
    expect([conflict.status, conflict.body.errors]).toEqual([
      409,
      [{ pointer: '/email', detail: "must not be another account's email address" }],
    ]);
    await query(`UPDATE users SET email_verified = true WHERE id = $1`, [one.id]);
    const isVerified = async (): Promise<boolean> =>
      (await query(`SELECT email_verified FROM users WHERE id = $1`, [one.id]))[0].email_verified;
    await change(one, { name: 'Same', email: one.email, current_password: PASSWORD });
    expect(await isVerified()).toBe(true);
    await change(one, { email: `moved-${one.email}`, current_password: PASSWORD });
    expect(await isVerified()).toBe(false);
  });

  it('allows only name changes for single sign-on accounts', async () => {
    const person = await createMember(admin, projectId, 'member');
    await query(
      `UPDATE user_logins SET provider = 'oidc', subject = 'https://id.example#ada', password = NULL WHERE user_id = $1`,
      [person.id],
    );
    expect((await person.call('GET', '/account')).body).toMatchObject({
      has_password: false,
      provider: 'single sign-on',
    });
    const rejected = await change(person, { email: 'elsewhere@example.com' });
    expect([rejected.status, rejected.body.detail]).toEqual([
      409,
      expect.stringContaining('is managed by single sign-on'),
    ]);
    expect((await change(person, { name: 'Ada', email: person.email })).body.user.name).toBe('Ada');
  });
});

describe('sessions', () => {
  it('allows people to list their sessions and end them individually', async () => {
    const person = await createMember(admin, projectId, 'member');
    const phone = new Person(app.nest);
    await phone.signIn(person.email, PASSWORD);
    const listSessions = async (whose: Person): Promise<Json[]> => (await whose.call('GET', '/account')).body.sessions;
    const [here, there] = await listSessions(person);
    expect([here!.is_current, there!.is_current]).toEqual([true, false]);
    expect(await listSessions(phone)).toContainEqual({ ...there, is_current: true });
    const stranger = await createMember(admin, projectId, 'owner');
    expect((await stranger.call('DELETE', `/account/sessions/${there!.id}`)).status).toBe(404);
    expect((await person.call('DELETE', `/account/sessions/${there!.id}`)).status).toBe(204);
    expect((await phone.call('GET', '/account')).status).toBe(401);
    expect(await listSessions(person)).toEqual([here]);
  });
});

describe('personal API keys', () => {
  const create = async (person: Member | Person, name = 'laptop'): Promise<Json> =>
    (await person.call('POST', '/account/api-keys', { name })).body;

  it("gives personal API keys their owner's current rights", async () => {
    const person = await createMember(admin, projectId, 'member');
    const { id, key, acts_as: actsAs } = await create(person);
    expect(actsAs).toBe(person.email);
    const elsewhere = (await app.api('POST', '/projects', { name: 'Elsewhere' })).body.id;
    const statuses = async (): Promise<number[]> => [
      (await withKey(key, 'GET', `/projects/${projectId}`)).status,
      (await withKey(key, 'PATCH', `/projects/${projectId}`, { time_zone: 'UTC' })).status,
      (await withKey(key, 'GET', `/projects/${elsewhere}`)).status,
      (await withKey(key, 'GET', '/users')).status,
    ];
    expect(await statuses()).toEqual([200, 200, 404, 403]);
    // An API key can't manage accounts, not even its owner's.
    expect((await withKey(key, 'GET', '/account')).status).toBe(403);
    expect((await withKey(key, 'DELETE', `/projects/${projectId}/members/${person.id}`)).status).toBe(403);
    const role = (to: string) => admin.call('PATCH', `/projects/${projectId}/members/${person.id}`, { role: to });
    await role('viewer');
    expect(await statuses()).toEqual([200, 403, 404, 403]);
    await admin.call('PATCH', `/users/${person.id}`, { is_admin: true });
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await admin.call('PATCH', `/users/${person.id}`, { is_admin: false });
    expect(await statuses()).toEqual([200, 403, 404, 403]);
    expect((await admin.call('GET', '/api-keys')).body.api_keys).toContainEqual(
      expect.objectContaining({ id, acts_as: person.email, project_ids: null }),
    );
    await admin.call('DELETE', `/users/${person.id}`);
    expect(await statuses()).toEqual([401, 401, 401, 401]);
  });

  it("creates resources on behalf of a personal API key's owner", async () => {
    const person = await createMember(admin, projectId, 'member');
    await admin.call('PATCH', `/users/${person.id}`, { is_admin: true });
    const { key } = await create(person);
    const listOwnerIds = async (id: string): Promise<string[]> =>
      (await admin.call('GET', `/projects/${id}/members`)).body.members.map(({ user_id: user }: Json) => user);
    const project = (await withKey(key, 'POST', '/projects', { name: 'By key' })).body;
    expect(await listOwnerIds(project.id)).toEqual([person.id]);
    const demo = (await withKey(key, 'POST', '/demo', { days: 1 })).body;
    expect(await listOwnerIds(demo.project_id)).toEqual([person.id]);
    await admin.call('DELETE', `/projects/${demo.project_id}`);
    const rules = { agent_types: ['Scraper'], format: 'text' };
    const { saved_by: author } = (await withKey(key, 'POST', `/projects/${project.id}/rules-versions`, rules)).body;
    expect(author).toBe('Person');
    await admin.call('DELETE', `/users/${person.id}`);
  });

  it('allows only the owner and administrators to list and revoke personal API keys', async () => {
    const [one, other] = [
      await createMember(admin, projectId, 'owner'),
      await createMember(admin, projectId, 'viewer'),
    ];
    const [first, second] = [await create(one), await create(one, 'server')];
    const listKeyIds = async (person: Person): Promise<string[]> =>
      (await person.call('GET', '/account/api-keys')).body.api_keys.map(({ id }: Json) => id);
    expect(await listKeyIds(one)).toEqual([first.id, second.id]);
    expect(await listKeyIds(other)).toEqual([]);
    expect((await one.call('GET', '/account/api-keys')).text).not.toContain(first.key);
    expect((await other.call('DELETE', `/account/api-keys/${first.id}`)).status).toBe(404);
    expect((await one.call('DELETE', `/account/api-keys/${first.id}`)).status).toBe(204);
    expect((await admin.call('DELETE', `/api-keys/${second.id}`)).status).toBe(204);
    for (const { key } of [first, second]) {
      await until(async () => (await withKey(key, 'GET', '/projects')).status === 401, {
        condition: 'the key is rejected',
      });
    }
  });

  it('records when a personal API key was last used', async () => {
    const person = await createMember(admin, projectId, 'viewer');
    const { key, last_used_at: atFirst } = await create(person);
    expect(atFirst).toBeNull();
    const before = Date.now();
    await withKey(key, 'GET', '/projects');
    const used = await until(
      async () => (await person.call('GET', '/account/api-keys')).body.api_keys[0].last_used_at as string | null,
      { condition: 'the use is recorded' },
    );
    expect(Date.parse(used!)).toBeGreaterThanOrEqual(before);
  });

  it("doesn't count personal API keys as the last admin key", async () => {
    const { key } = await create(admin);
    const { api_keys: keys } = (await admin.call('GET', '/api-keys')).body;
    const admins = keys.filter(
      (item: Json) => item.project_ids === null && item.acts_as === null && item.revoked_at === null,
    );
    for (const { id } of admins.slice(1)) await withKey(key, 'DELETE', `/api-keys/${id}`);
    expect((await withKey(key, 'DELETE', `/api-keys/${admins[0].id}`)).status).toBe(409);
  });
});
