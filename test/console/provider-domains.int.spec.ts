import { jest } from '@jest/globals';
import { AccessChanges } from '../../apps/console/src/access/access-changes.service.js';
import { BootstrapRepository } from '../../apps/console/src/bootstrap.repository.js';
import { App, type TestResponse } from '../kit/app.js';
import { Authenticator, TestClock } from '../kit/authenticator.js';
import { OIDC_CLIENT, OpenIdProvider } from '../kit/openid-provider.js';
import { PasskeyDevice } from '../kit/passkey-device.js';
import { Person } from '../kit/person.js';
import { createMember, PASSWORD, type Member } from '../kit/tenant.js';

const PUBLIC_URL = 'http://127.0.0.1:3000';
const clock = new TestClock();

let provider: OpenIdProvider;
let app: App;
let admin: Person;
let projectId: string;
/** A member with a password and a passkey, whose email address is then moved to the restricted domain. */
let member: Member;
let device: PasskeyDevice;

beforeAll(async () => {
  // Suppress the provider's setup advice.
  for (const level of ['warn', 'info'] as const) jest.spyOn(console, level).mockImplementation(() => undefined);
  provider = await OpenIdProvider.start(`${PUBLIC_URL}/api/session/oidc/callback`);
  app = await App.start({
    clock: clock.now,
    oidc: {
      issuer: provider.issuer,
      ...OIDC_CLIENT,
      name: 'Example Login',
      adminEmails: [],
      signUp: false,
      trustEmails: false,
      onlyDomains: ['corp.example'],
    },
  });
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  projectId = (await app.api('POST', '/projects', { name: 'Site' })).body.id;
  member = await createMember(admin, projectId, 'member');
  device = await PasskeyDevice.register(member);
  await app.database.dataSource.query(`UPDATE users SET email = 'ada@corp.example' WHERE id = $1`, [member.id]);
  await app.nest.get(AccessChanges).apply();
});
afterAll(async () => {
  jest.restoreAllMocks();
  await app?.dispose();
  await provider?.dispose();
});

const invite = async (): Promise<string> =>
  new URL((await admin.call('POST', `/projects/${projectId}/invitations`, { role: 'member' })).body.url).pathname;
const getUser = async (person: Person) => (await person.call('GET', '/session')).body.user;

/** Signs in through the provider. @returns the response to the callback */
async function signInWithProvider(person: Person, name: string, returnTo = '/projects'): Promise<TestResponse> {
  const signInRequest = await person.call('GET', `/session/oidc?return_to=${encodeURIComponent(returnTo)}`);
  const back = new URL(await provider.signIn(String(signInRequest.headers['location']), name));
  return person.call('GET', back.pathname.replace('/api', '') + back.search);
}

it('rejects all password sign-ins in the domain and names the provider to use', async () => {
  for (const [email, password] of [
    ['ada@corp.example', PASSWORD],
    ['ADA@Corp.Example', PASSWORD],
    ['ada@corp.example', 'not the password'],
    ['nobody@corp.example', PASSWORD],
  ] as const) {
    const person = new Person(app.nest);
    const { status, body } = await person.signIn(email, password);
    expect([status, body.detail]).toEqual([403, expect.stringContaining('Sign in with Example Login')]);
    expect(await getUser(person)).toBeNull();
  }
  // Subdomains, and domains that merely end the same way, aren't restricted.
  for (const email of ['ada@eu.corp.example', 'ada@evilcorp.example']) {
    expect((await new Person(app.nest).signIn(email, PASSWORD)).status).toBe(401);
  }
  expect((await new Person(app.nest).signIn('root@example.com', PASSWORD)).status).toBe(200);
});

it('rate-limits sign-in attempts in the domain', async () => {
  const person = new Person(app.nest);
  const statuses = new Set<number>();
  for (let attempt = 0; attempt < 20; attempt += 1) {
    statuses.add((await person.signIn('guessed@corp.example', 'not the password')).status);
  }
  expect(statuses).toEqual(new Set([403, 429]));
});

it('rejects passkey sign-ins and registrations in the domain', async () => {
  const person = new Person(app.nest);
  const { options } = (await person.call('POST', '/session/passkey/options', {})).body;
  const response = await person.call('POST', '/session/passkey', { credential: device.sign(options) });
  expect([response.status, await getUser(person)]).toEqual([403, null]);
  expect((await member.call('POST', '/account/passkeys/options', {})).status).toBe(409);
});

it('rejects a change to an email address in another domain', async () => {
  expect((await member.call('GET', '/account')).body.provider).toBe('Example Login');
  const change = { email: 'ada@elsewhere.example', current_password: PASSWORD };
  expect((await member.call('PATCH', '/account', change)).status).toBe(409);
  expect((await member.call('PATCH', '/account', { name: 'Ada', current_password: PASSWORD })).status).toBe(200);
});

it('allows people to accept an invitation through the provider, but not with a password', async () => {
  const path = await invite();
  const guest = new Person(app.nest);
  const account = { name: 'Grace', email: 'Grace@corp.example', password: PASSWORD };
  expect((await guest.call('POST', path, account)).status).toBe(403);
  provider.claimsByName.set('grace', { email: 'grace@corp.example', email_verified: true, name: 'Grace' });
  expect((await signInWithProvider(guest, 'grace', path)).headers['location']).toBe(path);
  expect((await guest.call('POST', path, {})).status).toBe(200);
});

it('lets a person sign in with a reset link and their second factor', async () => {
  const { app: phone } = await Authenticator.enroll(member, clock);
  const { url } = (await app.api('POST', '/password-resets', { email: 'ada@corp.example' })).body;
  const person = new Person(app.nest);
  const reset = await person.call('POST', new URL(url).pathname, { password: `${PASSWORD} anew` });
  expect(reset.body).toEqual({ user: null, second_factor_required: true });
  expect((await person.call('POST', '/session/second-factor', { code: await phone.nextCode() })).status).toBe(200);
  expect(await getUser(person)).toMatchObject({ email: 'ada@corp.example' });
  expect((await new Person(app.nest).signIn('ada@corp.example', `${PASSWORD} anew`)).status).toBe(403);
});

it('lets the administrator configured in the environment sign in with a reset link', async () => {
  const administrator = { email: 'boss@corp.example', password: PASSWORD };
  await app.nest.get(BootstrapRepository).bootstrap({ administrator });
  const { url } = (await app.api('POST', '/password-resets', { email: administrator.email })).body;
  const boss = new Person(app.nest);
  await boss.call('POST', new URL(url).pathname, { password: `${PASSWORD} anew` });
  expect((await boss.call('GET', '/users')).status).toBe(200);
});
