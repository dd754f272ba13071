import { BootstrapRepository } from '../../apps/console/src/bootstrap.repository.js';
import { ForgettingService } from '../../apps/console/src/accounts/forgetting.service.js';
import { App, type Json } from '../kit/app.js';
import { Person } from '../kit/person.js';

const PASSWORD = 'correct horse battery';
const NEW_PASSWORD = 'staples, all of them';
const NOBODY = '00000000-0000-4000-8000-000000000000';

let app: App;
let admin: Person;
beforeAll(async () => {
  app = await App.start();
  await app.nest
    .get(BootstrapRepository)
    .bootstrap({ administrator: { email: 'root@example.com', password: PASSWORD } });
  admin = new Person(app.nest);
  await admin.signIn('root@example.com', PASSWORD);
});
afterAll(() => app.dispose());

let people = 0;

async function newMember(): Promise<Person & { id: string; email: string }> {
  const { id } = (await app.api('POST', '/projects', { name: 'Shop' })).body;
  const { url } = (await admin.call('POST', `/projects/${id}/invitations`, { role: 'owner' })).body;
  const person = new Person(app.nest);
  const email = `person${++people}@example.com`;
  const { body } = await person.call('POST', new URL(url).pathname, { name: 'Person', email, password: PASSWORD });
  return Object.assign(person, { id: body.user.id as string, email });
}

const accountOf = async (email: string): Promise<Json> =>
  (await admin.call('GET', '/users')).body.users.find((user: Json) => user.email === email);

it('lists everybody who has an account', async () => {
  const { id, email } = await newMember();
  expect(await accountOf(email)).toEqual({
    id,
    email,
    name: 'Person',
    is_admin: false,
    projects: 1,
    created_at: expect.any(String),
    last_seen_at: expect.any(String),
  });
  expect(await accountOf('root@example.com')).toMatchObject({ is_admin: true, projects: 0 });
});

it('makes an administrator of somebody, and takes it away again, at once', async () => {
  const person = await newMember();
  const change = (isAdmin: boolean) => admin.call('PATCH', `/users/${person.id}`, { is_admin: isAdmin });
  expect((await person.call('GET', '/users')).status).toBe(403);
  const { status, body } = await change(true);
  expect([status, body.is_admin]).toEqual([200, true]);
  expect((await person.call('GET', '/users')).status).toBe(200);
  await change(false);
  expect((await person.call('GET', '/users')).status).toBe(403);
  expect((await admin.call('PATCH', `/users/${NOBODY}`, { is_admin: true })).status).toBe(404);
});

it('removes an account with its sessions, and leaves the project', async () => {
  const person = await newMember();
  const [project] = (await person.call('GET', '/projects')).body.projects;
  expect((await admin.call('DELETE', `/users/${person.id}`)).status).toBe(204);
  expect((await person.call('GET', '/projects')).status).toBe(401);
  expect((await person.signIn(person.email, PASSWORD)).status).toBe(401);
  expect((await admin.call('GET', `/projects/${project.id}`)).status).toBe(200);
  expect((await admin.call('DELETE', `/users/${person.id}`)).status).toBe(404);
});

it('always leaves an administrator, also when two go at once', async () => {
  const { id: rootId } = await accountOf('root@example.com');
  const gone = await admin.call('DELETE', `/users/${rootId}`);
  expect([gone.status, gone.body.detail]).toEqual([409, expect.stringContaining('last administrator')]);
  const second = await newMember();
  await admin.call('PATCH', `/users/${second.id}`, { is_admin: true });
  const key = (method: 'PATCH' | 'DELETE', id: string) => app.api(method, `/users/${id}`, { is_admin: false });
  const both = await Promise.all([key('PATCH', rootId), key('PATCH', second.id)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const users: Json[] = (await app.api('GET', '/users')).body.users;
  expect(users.filter((user) => user.is_admin)).toHaveLength(1);
  await app.api('PATCH', `/users/${rootId}`, { is_admin: true });
  await app.api('PATCH', `/users/${second.id}`, { is_admin: false });
});

describe('a link for a new password', () => {
  const linkFor = async ({ id }: { id: string }): Promise<string> => {
    const { status, body } = await admin.call('POST', `/users/${id}/password-resets`, {});
    expect([status, body.url]).toEqual([201, expect.stringMatching(/\/password-resets\/agr_\w+$/)]);
    return new URL(body.url).pathname;
  };

  it('sets it once, ends every session and signs in', async () => {
    const person = await newMember();
    const path = await linkFor(person);
    const browser = new Person(app.nest);
    const shown = await browser.call('GET', path);
    expect([shown.status, shown.body.email]).toEqual([200, person.email]);
    const { status, body } = await browser.call('POST', path, { password: NEW_PASSWORD });
    expect([status, body.user.email]).toEqual([200, person.email]);
    expect((await browser.call('GET', '/session')).body.user.email).toBe(person.email);
    expect((await person.call('GET', '/projects')).status).toBe(401);
    expect((await person.signIn(person.email, PASSWORD)).status).toBe(401);
    expect((await person.signIn(person.email, NEW_PASSWORD)).status).toBe(200);
    expect((await browser.call('POST', path, { password: NEW_PASSWORD })).status).toBe(404);
  });

  it('works for one of two who have it', async () => {
    const path = await linkFor(await newMember());
    const use = (password: string) => new Person(app.nest).call('POST', path, { password });
    const answers = await Promise.all([use('the password of one'), use('the password of two')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });

  it('does not work when it was replaced, is too old, or is not known, and is kept when the password is not taken', async () => {
    const person = await newMember();
    const first = await linkFor(person);
    const second = await linkFor(person);
    expect((await new Person(app.nest).call('GET', first)).status).toBe(404);
    const short = await new Person(app.nest).call('POST', second, { password: 'short' });
    expect([short.status, short.body.errors[0].pointer]).toEqual([422, '/password']);
    expect((await new Person(app.nest).call('GET', second)).status).toBe(200);
    await app.database.dataSource.query(`UPDATE password_resets SET expires_at = now()`);
    expect((await new Person(app.nest).call('POST', second, { password: NEW_PASSWORD })).status).toBe(404);
    expect((await new Person(app.nest).call('GET', '/password-resets/agr_unknown')).status).toBe(404);
    expect((await admin.call('POST', `/users/${NOBODY}/password-resets`, {})).status).toBe(404);
  });
});

it('forgets what nobody can use any more', async () => {
  const person = await newMember();
  const query = (sql: string): Promise<Json[]> => app.database.dataSource.query(sql);
  await query(`UPDATE user_sessions SET expires_at = now() - interval '1 s' WHERE user_id = '${person.id}'`);
  await app.nest.get(ForgettingService).forget();
  expect(await query(`SELECT FROM user_sessions WHERE user_id = '${person.id}'`)).toEqual([]);
  expect((await admin.call('GET', '/session')).body.user.email).toBe('root@example.com');
});
