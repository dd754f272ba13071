import { CONSOLE_INTERFACE } from '#libs/contracts';
import type { SecondFactorPolicy } from '../../apps/console/src/access/second-factor-policy.js';
import { App, type Json } from '../kit/app.js';
import { injectRequest } from '../kit/inject-request.js';
import { Authenticator, TestClock } from '../kit/authenticator.js';
import { Person, type Method } from '../kit/person.js';
import { createRequestBody, createMember, createTenant, PASSWORD, createOperationUrl } from '../kit/tenant.js';

const clock = new TestClock();
const REQUIRED_PROBLEM = '/docs/problems#second-factor-required';

let app: App;
afterEach(() => app?.dispose());

/** Starts the app. @returns an administrator with a second factor */
async function start(secondFactor: SecondFactorPolicy): Promise<Person> {
  app = await App.start({ clock: clock.now, secondFactor });
  const admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  await Authenticator.enroll(admin, clock);
  return admin;
}

const isDue = async (person: Person): Promise<boolean> => (await person.call('GET', '/session')).body.second_factor_due;

it('restricts administrators without a second factor to setting one up', async () => {
  const admin = await start('administrators');
  const tenant = await createTenant(app, admin, 'Ours');
  const { key } = (await tenant.owner.call('POST', '/account/api-keys', {})).body;
  const { url } = (await admin.call('POST', `/projects/${tenant.id}/invitations`, { role: 'viewer' })).body;
  expect([await isDue(tenant.owner), (await tenant.owner.call('GET', '/projects')).status]).toEqual([false, 200]);
  // The new role applies to the existing session immediately.
  expect((await admin.call('PATCH', `/users/${tenant.owner.id}`, { is_admin: true })).status).toBe(200);
  expect(await isDue(tenant.owner)).toBe(true);
  const open: string[] = [];
  for (const { id, method, path, access } of CONSOLE_INTERFACE.operations) {
    if (access === 'public' || access === 'shared') continue;
    const body = method === 'get' || method === 'delete' ? undefined : createRequestBody(id, tenant);
    const response = await injectRequest(app.nest, {
      method: method.toUpperCase() as Method,
      url: createOperationUrl(path, tenant),
      headers: tenant.owner.headers(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    if (response.status !== 403 || !response.text.includes(REQUIRED_PROBLEM)) open.push(id);
    else expect([id, response.text.includes('secret-of-')]).toEqual([id, false]);
  }
  expect(open.toSorted()).toEqual(['activateSecondFactor', 'beginSecondFactor', 'confirmSession', 'getOwnAccount']);
  expect((await tenant.owner.call('POST', new URL(url).pathname, {})).body.type).toBe(REQUIRED_PROBLEM);
  // Existing API keys aren't affected.
  expect((await app.send('GET', '/api/users', undefined, { authorization: `Bearer ${key}` })).status).toBe(200);
  // New sessions are restricted, too.
  const browser = new Person(app.nest);
  expect((await browser.signIn(tenant.owner.email, PASSWORD)).body.user).not.toBeNull();
  expect([await isDue(browser), (await browser.call('GET', '/users')).status]).toEqual([true, 403]);
  await Authenticator.enroll(browser, clock);
  expect([await isDue(browser), (await browser.call('GET', '/users')).status]).toEqual([false, 200]);
  // The restriction applies again after the second factor is removed.
  expect((await admin.call('DELETE', `/users/${tenant.owner.id}/second-factor`)).status).toBe(204);
  expect((await browser.call('GET', '/users')).body.type).toBe(REQUIRED_PROBLEM);
});

it('recognizes immediately that a second factor was set up through another replica', async () => {
  const admin = await start('administrators');
  const tenant = await createTenant(app, admin, 'Ours');
  await admin.call('PATCH', `/users/${tenant.owner.id}`, { is_admin: true });
  expect((await tenant.owner.call('GET', '/users')).status).toBe(403);
  // Write the state that the other replica would write.
  await app.database.dataSource.query(`UPDATE user_sessions SET opened_by = 'second_factor' WHERE user_id = $1`, [
    tenant.owner.id,
  ]);
  expect((await tenant.owner.call('GET', '/users')).status).toBe(200);
});

it('requires a second factor for project owners or for nobody, if so configured', async () => {
  let admin = await start('owners');
  const { id } = (await app.api('POST', '/projects', { name: 'Site' })).body;
  const member = await createMember(admin, id, 'member');
  expect(await isDue(await createMember(admin, id, 'owner'))).toBe(true);
  expect(await isDue(member)).toBe(false);
  expect((await admin.call('PATCH', `/projects/${id}/members/${member.id}`, { role: 'owner' })).status).toBe(200);
  expect(await isDue(member)).toBe(true);
  await app.dispose();
  admin = await start('nobody');
  const project: Json = (await app.api('POST', '/projects', { name: 'Site' })).body;
  expect(await isDue(await createMember(admin, project.id, 'owner'))).toBe(false);
});
