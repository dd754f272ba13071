import { BootstrapRepository } from '../../apps/console/src/bootstrap.repository.js';
import { PasswordHasher } from '../../apps/console/src/passwords/password-hasher.service.js';
import { App, type TestResponse } from '../kit/app.js';
import { Person } from '../kit/person.js';

const GOOD = 'correct horse battery';
const WEAK = ['aaaaaaaaaaaa', 'password1234', 'AgentTraffic26', 'hopperstein99', 'dashboard-1234', 'p a s s w o r d'];

let app: App;
let admin: Person;
beforeAll(async () => {
  app = await App.start({ publicUrl: 'https://dashboard.example' });
  admin = await Person.administrator(app.nest, 'root@example.com', GOOD);
});
afterAll(() => app.dispose());

const person = { name: 'Grace Hopperstein', email: 'grace@example.com' };
const toRejections = (responses: TestResponse[]) =>
  responses.map(({ status, body }) => [status, body.errors?.[0]?.pointer]);
const expectedRejections = (pointer: string) => WEAK.map(() => [422, pointer]);

async function tryAll(attempt: (password: string) => Promise<TestResponse>): Promise<TestResponse[]> {
  const responses: TestResponse[] = [];
  for (const password of WEAK) responses.push(await attempt(password));
  return responses;
}

it('rejects weak passwords for invitations, password changes, and password resets', async () => {
  const [project] = (await admin.call('GET', '/projects')).body.projects;
  const { body } = await admin.call('POST', `/projects/${project.id}/invitations`, { role: 'viewer' });
  const path = new URL(body.url).pathname;
  const accepted = await tryAll((password) => new Person(app.nest).call('POST', path, { ...person, password }));
  expect(toRejections(accepted)).toEqual(expectedRejections('/password'));
  expect(accepted[1]!.body.errors[0].detail).toContain('is a common password');

  const grace = new Person(app.nest);
  expect((await grace.call('POST', path, { ...person, password: GOOD })).status).toBe(200);
  const change = (next: string) =>
    grace.call('PUT', '/session/password', { current_password: GOOD, new_password: next });
  expect(toRejections(await tryAll(change))).toEqual(expectedRejections('/new_password'));

  const reset = await admin.call('POST', '/password-resets', { email: person.email });
  const link = new URL(reset.body.url).pathname;
  const weakPasswords = WEAK.filter((password) => !password.startsWith('hopper'));
  for (const password of weakPasswords) {
    expect(toRejections([await new Person(app.nest).call('POST', link, { password })])).toEqual([[422, '/password']]);
  }
  expect((await new Person(app.nest).call('POST', link, { password: 'another battery staple' })).status).toBe(200);
});

it('rejects weak passwords during setup and in ADMIN_PASSWORD', async () => {
  const bootstrap = (password: string) =>
    app.nest.get(BootstrapRepository).bootstrap({ administrator: { email: 'new@example.com', password } });
  await expect(bootstrap('password1234')).rejects.toThrow('ADMIN_PASSWORD is a common password');
  await app.database.dataSource.query(`DELETE FROM users`);
  const { code } = (await app.api('POST', '/setup-codes', {})).body;
  const set = (password: string) => new Person(app.nest).call('POST', '/setup', { code, ...person, password });
  expect(toRejections(await tryAll(set))).toEqual(expectedRejections('/password'));
  expect((await set(GOOD)).status).toBe(201);
});

it('accepts existing weak passwords at sign-in', async () => {
  const administrator = { email: 'old@example.com', password: GOOD };
  await app.nest.get(BootstrapRepository).bootstrap({ administrator });
  await app.database.dataSource.query(
    `UPDATE user_logins SET password = $1 WHERE user_id = (SELECT id FROM users WHERE email = $2)`,
    [await app.nest.get(PasswordHasher).hash('password1234', 'known'), administrator.email],
  );
  await app.nest.get(BootstrapRepository).bootstrap({ administrator: { ...administrator, password: 'password1234' } });
  expect((await new Person(app.nest).signIn(administrator.email, 'password1234')).status).toBe(200);
});
