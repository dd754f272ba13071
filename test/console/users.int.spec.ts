import { AccountsRepository } from '../../apps/console/src/accounts/accounts.repository.js';
import { App, type Json } from '../kit/app.js';
import { Person } from '../kit/person.js';

const PASSWORD = 'correct horse battery';
const NEW_PASSWORD = 'another battery staple';

let app: App;
let admin: Person;
beforeAll(async () => {
  app = await App.start();
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
});
afterAll(() => app?.dispose());

const users = async (): Promise<Json[]> => (await admin.call('GET', '/users')).body.users;
const findUser = async (email: string): Promise<Json> => (await users()).find((user) => user.email === email);

async function newPerson(email: string): Promise<Person> {
  const [project] = (await admin.call('GET', '/projects')).body.projects;
  return admin.invite(project.id, 'viewer', { name: 'Ada', email, password: PASSWORD });
}

it('lists all user accounts', async () => {
  await newPerson('ada@example.com');
  expect(await users()).toEqual([
    {
      id: expect.any(String),
      email: 'ada@example.com',
      name: 'Ada',
      is_admin: false,
      projects: 1,
      has_password: true,
      has_second_factor: false,
      passkeys: 0,
      created_at: expect.any(String),
      last_seen_at: expect.any(String),
      made: { api_keys: 0, password_resets: 0, invitations: 0, invitations_elsewhere: 0 },
    },
    expect.objectContaining({ email: 'root@example.com', is_admin: true, projects: 0 }),
  ]);
});

it("grants and revokes the admin role, but never revokes the last administrator's", async () => {
  const person = await newPerson('second@example.com');
  const { id } = await findUser('second@example.com');
  const { id: rootId } = await findUser('root@example.com');
  expect((await person.call('GET', '/users')).status).toBe(403);
  const last = await admin.call('PATCH', `/users/${rootId}`, { is_admin: false });
  expect([last.status, last.body.detail]).toEqual([409, expect.stringContaining('only administrator')]);
  expect((await admin.call('PATCH', `/users/${id}`, { is_admin: true })).body).toMatchObject({ id, is_admin: true });
  expect((await person.call('GET', '/users')).status).toBe(200);
  const both = await Promise.all([
    admin.call('PATCH', `/users/${rootId}`, { is_admin: false }),
    admin.call('DELETE', `/users/${id}`),
  ]);
  // One of the changes fails, because the last administrator can't be demoted or because a demoted administrator has no
  // rights.
  expect(both.filter(({ status }) => status === 409 || status === 403)).toHaveLength(1);
  await app.api('PATCH', `/users/${rootId}`, { is_admin: true });
  expect((await admin.call('GET', '/users')).status).toBe(200);
});

it('removes accounts along with their sessions', async () => {
  const person = await newPerson('gone@example.com');
  const { id } = await findUser('gone@example.com');
  expect((await admin.call('DELETE', `/users/${id}`)).status).toBe(204);
  expect((await person.call('GET', '/projects')).status).toBe(401);
  expect((await person.signIn('gone@example.com', PASSWORD)).status).toBe(401);
  expect((await admin.call('DELETE', `/users/${id}`)).status).toBe(404);
});

describe('password reset link', () => {
  const link = async (email: string): Promise<string> => {
    const { status, body } = await admin.call('POST', '/password-resets', { email });
    expect([status, body.url]).toEqual([
      201,
      expect.stringMatching(/^http:\/\/127.0.0.1:3000\/password-resets\/agr_\w+$/),
    ]);
    return new URL(body.url).pathname;
  };

  it('accepts a password reset link only once, and then ends all other sessions', async () => {
    const person = await newPerson('forgetful@example.com');
    const path = await link('Forgetful@example.com');
    expect((await person.call('GET', '/projects')).status).toBe(200);
    const other = new Person(app.nest);
    expect((await other.call('GET', path)).body).toMatchObject({ email: 'forgetful@example.com' });
    const short = await other.call('POST', path, { password: 'short' });
    expect([short.status, short.body.errors[0].pointer]).toEqual([422, '/password']);
    const { status, body } = await other.call('POST', path, { password: NEW_PASSWORD });
    expect([status, body.user.email]).toEqual([200, 'forgetful@example.com']);
    expect((await other.call('GET', '/projects')).status).toBe(200);
    expect((await person.call('GET', '/projects')).status).toBe(401);
    expect((await person.signIn('forgetful@example.com', PASSWORD)).status).toBe(401);
    expect((await other.call('POST', path, { password: PASSWORD })).status).toBe(404);
  });

  it('rejects a password reset link after the password changes', async () => {
    const person = await newPerson('remembered@example.com');
    const path = await link('remembered@example.com');
    const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    expect((await person.call('PUT', '/session/password', change)).status).toBe(204);
    const stranger = new Person(app.nest);
    expect((await stranger.call('GET', path)).status).toBe(404);
    expect((await stranger.call('POST', path, { password: PASSWORD })).status).toBe(404);
    expect((await person.call('GET', '/projects')).status).toBe(200);
  });

  it('rejects a password reset link after a newer one is created, after it expires, and without an account', async () => {
    await newPerson('twice@example.com');
    const first = await link('twice@example.com');
    const second = await link('twice@example.com');
    const stranger = new Person(app.nest);
    expect([(await stranger.call('GET', first)).status, (await stranger.call('GET', second)).status]).toEqual([
      404, 200,
    ]);
    await app.database.dataSource.query(`UPDATE password_resets SET expires_at = now()`);
    expect((await stranger.call('POST', second, { password: NEW_PASSWORD })).status).toBe(404);
    expect((await admin.call('POST', '/password-resets', { email: 'nobody@example.com' })).status).toBe(404);
  });
});

it('deletes expired sessions and password reset links', async () => {
  const query = (sql: string): Promise<unknown[]> => app.database.dataSource.query(sql);
  await newPerson('expired@example.com');
  await admin.call('POST', '/password-resets', { email: 'expired@example.com' });
  const before = (await query('SELECT FROM user_sessions')).length;
  const { id } = await findUser('expired@example.com');
  for (const table of ['user_sessions', 'password_resets']) {
    await query(`UPDATE ${table} SET expires_at = now() - interval '1 s' WHERE user_id = '${id}'`);
  }
  await app.nest.get(AccountsRepository).deleteExpired();
  expect((await query('SELECT FROM user_sessions')).length).toBe(before - 1);
  expect(await query(`SELECT FROM password_resets WHERE user_id = '${id}'`)).toEqual([]);
});
