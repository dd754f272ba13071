import { CONSOLE_INTERFACE } from '#libs/contracts';
import type { SecondFactorPolicy } from '../../apps/console/src/access/second-factor-policy.js';
import { App, type Json } from '../kit/app.js';
import { beginningOf } from '../kit/beginning.js';
import { Authenticator, TestClock } from '../kit/authenticator.js';
import { Person, type Method } from '../kit/person.js';
import { bodyOf, newMember, newTenant, PASSWORD, urlOf } from '../kit/tenant.js';

const clock = new TestClock();
const REQUIRED = '/docs/problems#second-factor-required';

let app: App;
afterEach(() => app?.dispose());

/** Somebody who administers and has set up what that takes. */
async function start(secondFactor: SecondFactorPolicy): Promise<Person> {
  app = await App.start({ clock: clock.now, secondFactor });
  const admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  await Authenticator.setUp(admin, clock);
  return admin;
}

const isDue = async (person: Person): Promise<boolean> => (await person.call('GET', '/session')).body.second_factor_due;

it('lets an administrator without one do nothing but set it up, by any operation', async () => {
  const admin = await start('administrators');
  const tenant = await newTenant(app, admin, 'Ours');
  const { key } = (await tenant.owner.call('POST', '/account/api-keys', {})).body;
  const { url } = (await admin.call('POST', `/projects/${tenant.id}/invitations`, { role: 'viewer' })).body;
  expect([await isDue(tenant.owner), (await tenant.owner.call('GET', '/projects')).status]).toEqual([false, 200]);
  // From the moment of the right on, in the session that is open.
  expect((await admin.call('PATCH', `/users/${tenant.owner.id}`, { is_admin: true })).status).toBe(200);
  expect(await isDue(tenant.owner)).toBe(true);
  const open: string[] = [];
  for (const { id, method, path, access } of CONSOLE_INTERFACE.operations) {
    if (access === 'public' || access === 'shared') continue;
    const body = method === 'get' || method === 'delete' ? undefined : bodyOf(id, tenant);
    const answer = await beginningOf(app.nest, {
      method: method.toUpperCase() as Method,
      url: urlOf(path, tenant),
      headers: tenant.owner.headers(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    if (answer.status !== 403 || !answer.text.includes(REQUIRED)) open.push(id);
    else expect([id, answer.text.includes('secret-of-')]).toEqual([id, false]);
  }
  expect(open.toSorted()).toEqual(['activateSecondFactor', 'beginSecondFactor', 'confirmSession', 'getOwnAccount']);
  expect((await tenant.owner.call('POST', new URL(url).pathname, {})).body.type).toBe(REQUIRED);
  // An API key is not a sign-in.
  expect((await app.send('GET', '/api/users', undefined, { authorization: `Bearer ${key}` })).status).toBe(200);
  // Signing in once more leads to the same place.
  const browser = new Person(app.nest);
  expect((await browser.signIn(tenant.owner.email, PASSWORD)).body.user).not.toBeNull();
  expect([await isDue(browser), (await browser.call('GET', '/users')).status]).toEqual([true, 403]);
  await Authenticator.setUp(browser, clock);
  expect([await isDue(browser), (await browser.call('GET', '/users')).status]).toEqual([false, 200]);
  // Without it, it is due again.
  expect((await admin.call('DELETE', `/users/${tenant.owner.id}/second-factor`)).status).toBe(204);
  expect((await browser.call('GET', '/users')).body.type).toBe(REQUIRED);
});

it('is done immediately where another replica has set it up', async () => {
  const admin = await start('administrators');
  const tenant = await newTenant(app, admin, 'Ours');
  await admin.call('PATCH', `/users/${tenant.owner.id}`, { is_admin: true });
  expect((await tenant.owner.call('GET', '/users')).status).toBe(403);
  // As the other one writes it.
  await app.database.dataSource.query(`UPDATE user_sessions SET opened_by = 'second_factor' WHERE user_id = $1`, [
    tenant.owner.id,
  ]);
  expect((await tenant.owner.call('GET', '/users')).status).toBe(200);
});

it('can be asked of owners of projects, too, and of nobody', async () => {
  let admin = await start('owners');
  const { id } = (await app.api('POST', '/projects', { name: 'Site' })).body;
  const member = await newMember(admin, id, 'member');
  expect(await isDue(await newMember(admin, id, 'owner'))).toBe(true);
  expect(await isDue(member)).toBe(false);
  expect((await admin.call('PATCH', `/projects/${id}/members/${member.id}`, { role: 'owner' })).status).toBe(200);
  expect(await isDue(member)).toBe(true);
  await app.dispose();
  admin = await start('nobody');
  const project: Json = (await app.api('POST', '/projects', { name: 'Site' })).body;
  expect(await isDue(await newMember(admin, project.id, 'owner'))).toBe(false);
});
