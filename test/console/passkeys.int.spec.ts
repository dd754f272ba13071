import { AccessChanges } from '../../apps/console/src/access/access-changes.service.js';
import { App, type TestResponse, type Json } from '../kit/app.js';
import { Authenticator, TestClock } from '../kit/authenticator.js';
import { runCommands } from '../kit/command-line.js';
import { PasskeyDevice, type ForgedValues } from '../kit/passkey-device.js';
import { Person } from '../kit/person.js';
import { createMember, PASSWORD, type Member } from '../kit/tenant.js';

const clock = new TestClock();

let app: App;
let admin: Person;
let projectId: string;
let member: Member;

beforeAll(async () => {
  app = await App.start({ clock: clock.now, secondFactor: 'owners' });
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  await Authenticator.enroll(admin, clock);
  projectId = (await app.api('POST', '/projects', { name: 'Site' })).body.id;
});
beforeEach(async () => {
  member = await createMember(admin, projectId, 'member');
});
afterAll(() => app?.dispose());

const query = (sql: string, parameters: unknown[] = []): Promise<Json[]> =>
  app.database.dataSource.query(sql, parameters);
const getUser = async (person: Person): Promise<Json> => (await person.call('GET', '/session')).body.user;
const listPasskeys = async (person: Person): Promise<Json[]> => (await person.call('GET', '/account')).body.passkeys;
const lastEntry = async (subject: string): Promise<Json> =>
  (await app.api('GET', `/audit-entries?limit=1&subject=${subject}`)).body.entries[0];

const requestChallenge = async (person: Person): Promise<Json> => {
  const { status, body } = await person.call('POST', '/session/passkey/options', {});
  expect(status).toBe(200);
  return body.options;
};
const send = (person: Person, credential: Json): Promise<TestResponse> =>
  person.call('POST', '/session/passkey', { credential });

async function signIn(device: PasskeyDevice, lies: ForgedValues = {}): Promise<TestResponse & { person: Person }> {
  const person = new Person(app.nest);
  const options = await requestChallenge(person);
  return { ...(await send(person, device.sign(options, lies))), person };
}

it('registers, renames, and removes a passkey, and signs in with it without a password or code', async () => {
  await Authenticator.enroll(member, clock);
  const device = await PasskeyDevice.register(member, 'Work phone');
  expect(await lastEntry('passkey')).toMatchObject({
    operation: 'createPasskey',
    change: 'created',
    actor: { id: member.id },
    subject: { name: 'Work phone' },
    after: { rp_id: 'localhost' },
  });
  const { person, status, body } = await signIn(device);
  expect([status, body.user.id]).toEqual([200, member.id]);
  expect(await getUser(person)).toMatchObject({ id: member.id });
  expect(await lastEntry('session')).toMatchObject({ operation: 'signInWithPasskey', actor: { id: member.id } });
  const [passkey] = await listPasskeys(person);
  expect(passkey).toMatchObject({ name: 'Work phone', host: 'localhost', last_used_at: expect.any(String) });
  const path = `/account/passkeys/${passkey!.id}`;
  expect((await person.call('PATCH', path, { name: 'Old phone' })).status).toBe(204);
  expect(await lastEntry('passkey')).toMatchObject({ before: { name: 'Work phone' }, after: { name: 'Old phone' } });
  const stranger = await createMember(admin, projectId, 'member');
  expect((await stranger.call('PATCH', path, { name: 'Mine' })).status).toBe(404);
  expect((await stranger.call('DELETE', path)).status).toBe(404);
  expect((await person.call('DELETE', path)).status).toBe(204);
  expect(await lastEntry('passkey')).toMatchObject({ operation: 'removePasskey', change: 'removed' });
  expect((await signIn(device)).status).toBe(401);
});

it('allows passkeys for many people behind one address, and for known browsers despite its rate limit', async () => {
  const device = await PasskeyDevice.register(member);
  const inOffice = async (person: Person): Promise<number> => {
    person.address = '203.0.113.9';
    return (await send(person, device.sign(await requestChallenge(person)))).status;
  };
  const knownBrowser = new Person(app.nest);
  const statuses = [await inOffice(knownBrowser)];
  for (let number = 1; number < 15; number += 1) statuses.push(await inOffice(new Person(app.nest)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  const guess = (): Promise<TestResponse> => {
    const stranger = new Person(app.nest);
    stranger.address = '203.0.113.9';
    return stranger.signIn(`${Math.random()}@example.com`, 'a guess');
  };
  const guesses = await Promise.all(Array.from({ length: 10 }, guess));
  expect(guesses.map(({ status }) => status)).toContain(429);
  await knownBrowser.call('DELETE', '/session');
  expect(await inOffice(knownBrowser)).toBe(200);
});

it('accepts a passkey for the second factor requirement, but only when used to sign in', async () => {
  await createMember(admin, projectId, 'owner');
  expect((await admin.call('PATCH', `/projects/${projectId}/members/${member.id}`, { role: 'owner' })).status).toBe(
    200,
  );
  // The owner role already requires a second factor, so the member can't register a passkey now.
  expect((await member.call('POST', '/account/passkeys/options', {})).status).toBe(403);
  const { status } = await admin.call('PATCH', `/projects/${projectId}/members/${member.id}`, { role: 'viewer' });
  expect(status).toBe(200);
  const device = await PasskeyDevice.register(member);
  await admin.call('PATCH', `/projects/${projectId}/members/${member.id}`, { role: 'owner' });
  const { person } = await signIn(device);
  expect((await person.call('GET', '/projects')).status).toBe(200);
  const other = new Person(app.nest);
  await other.signIn(member.email, PASSWORD);
  expect((await other.call('GET', '/projects')).status).toBe(403);
});

it.each(['passkey', 'provider'])(
  'accepts a passkey for the second factor requirement in a %s session after a password change',
  async (opener) => {
    const device = await PasskeyDevice.register(member);
    const { person } = await signIn(device);
    await query(`UPDATE user_sessions SET opened_by = $1 WHERE user_id = $2 AND opened_by = 'passkey'`, [
      opener,
      member.id,
    ]);
    await admin.call('PATCH', `/projects/${projectId}/members/${member.id}`, { role: 'owner' });
    const change = { current_password: PASSWORD, new_password: `${PASSWORD} anew` };
    expect((await person.call('PUT', '/session/password', change)).status).toBe(204);
    expect((await person.call('GET', '/projects')).status).toBe(200);
    const other = new Person(app.nest);
    await other.signIn(member.email, change.new_password);
    expect((await other.call('GET', '/projects')).status).toBe(403);
  },
);

it.each([
  ['from another site', { origin: 'http://localhost.evil.example' }],
  ['from another port', { origin: 'http://localhost:8080' }],
  ['for another host', { rpId: 'evil.example' }],
  ['without user verification', { isUserVerified: false }],
  ['for another challenge', { challenge: 'AAAA' }],
  ['from a registration', { type: 'webauthn.create' }],
  ["with another account's user handle", { userHandle: Buffer.alloc(16, 1).toString('base64url') }],
  ["whose counter doesn't advance", { signCount: 0 }],
] as [string, ForgedValues][])('rejects a signature %s', async (_, lies) => {
  const device = await PasskeyDevice.register(member);
  // The first sign-in advances the server's copy of the signature counter.
  expect((await signIn(device)).status).toBe(200);
  const { status, person } = await signIn(device, lies);
  expect([status, await getUser(person)]).toEqual([401, null]);
});

it("rejects a passkey that claims another passkey's ID or an unknown user", async () => {
  const device = await PasskeyDevice.register(member);
  const victim = await PasskeyDevice.register(await createMember(admin, projectId, 'member'));
  expect((await signIn(device, { credentialId: victim.credentialId })).status).toBe(401);
  expect((await signIn(new PasskeyDevice(), { userHandle: '' })).status).toBe(422);
  expect((await signIn(new PasskeyDevice(), { userHandle: 'AA' })).status).toBe(401);
});

it('accepts a passkey challenge only once, before it expires, and in the browser that requested it', async () => {
  const device = await PasskeyDevice.register(member);
  const person = new Person(app.nest);
  // Devices without a signature counter always send 0.
  const signed = device.sign(await requestChallenge(person), { signCount: 0 });
  expect((await send(new Person(app.nest), signed)).status).toBe(401);
  const responses = await Promise.all([1, 2, 3, 4].map(() => send(person.copy(), signed)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
  expect((await send(person, signed)).status).toBe(401);
  const lateBrowser = new Person(app.nest);
  const options = await requestChallenge(lateBrowser);
  await query(`UPDATE passkey_challenges SET expires_at = now()`);
  expect((await send(lateBrowser, device.sign(options, { signCount: 0 }))).status).toBe(401);
  // A registration challenge can't be used for sign-in.
  const browser = member.copy();
  const { options: creation } = (await browser.call('POST', '/account/passkeys/options', {})).body;
  expect((await send(browser, device.sign(creation, { signCount: 0 }))).status).toBe(401);
});

it('allows one passkey registration per challenge, and only shortly after the person confirmed their identity', async () => {
  const begin = async (person: Person): Promise<Json> =>
    (await person.call('POST', '/account/passkeys/options', {})).body.options;
  const create = (person: Person, credential: Json) =>
    person.call('POST', '/account/passkeys', { name: 'Phone', credential });
  const device = new PasskeyDevice();
  for (const lies of [
    { origin: 'https://evil.example' },
    { challenge: 'AAAA' },
    { isUserVerified: false },
    { rpId: 'evil' },
  ]) {
    expect((await create(member, device.createCredential(await begin(member), lies))).status).toBe(409);
  }
  const options = await begin(member);
  const credential = device.createCredential(options);
  // Another account can't use the challenge, even with a stolen cookie.
  const other = await createMember(admin, projectId, 'member');
  const stolen = member.cookies.get('agent_traffic_passkey')!;
  other.cookies.set('agent_traffic_passkey', stolen);
  expect((await create(other, credential)).status).toBe(409);
  expect((await create(member, credential)).status).toBe(201);
  expect((await create(member, credential)).status).toBe(409);
  expect((await create(other, device.createCredential(await begin(other)))).body.detail).toContain(
    'already registered',
  );
  expect((await begin(member)).excludeCredentials).toMatchObject([{ id: device.credentialId }]);
  await query(`UPDATE user_sessions SET confirmed_at = now() - interval '11 minutes' WHERE user_id = $1`, [member.id]);
  await app.nest.get(AccessChanges).apply();
  expect((await member.call('POST', '/account/passkeys/options', {})).body.type).toBe(
    '/docs/problems#confirmation-required',
  );
  expect((await create(member, credential)).body.type).toBe('/docs/problems#confirmation-required');
});

it('allows up to 20 passkeys per account, and only with an account password and a host name', async () => {
  for (let number = 0; number < 20; number += 1) await PasskeyDevice.register(member, `Phone ${number}`);
  const { options } = (await member.call('POST', '/account/passkeys/options', {})).body;
  const credential = new PasskeyDevice().createCredential(options);
  expect((await member.call('POST', '/account/passkeys', { name: 'One more', credential })).status).toBe(409);
  const optionsResponse = await member.call('POST', '/account/passkeys/options', {}, { host: '127.0.0.1:3000' });
  expect([optionsResponse.status, optionsResponse.body.detail]).toEqual([409, expect.stringContaining('HTTPS')]);
  await query(
    `UPDATE user_logins SET provider = 'oidc', subject = 'https://id.example#ada', password = NULL WHERE user_id = $1`,
    [member.id],
  );
  expect((await member.call('POST', '/account/passkeys/options', {})).status).toBe(409);
});

it('removes passkeys on a password reset, because an attacker may have added them', async () => {
  const device = await PasskeyDevice.register(member);
  const { status, body } = await app.api('POST', '/password-resets', { email: member.email });
  expect(status).toBe(201);
  const token = String(body.url).split('/').at(-1)!;
  const newPassword = { password: `${PASSWORD} anew` };
  expect((await new Person(app.nest).call('POST', `/password-resets/${token}`, newPassword)).status).toBe(200);
  expect((await signIn(device)).status).toBe(401);
});

it('allows administrators, but not owners, to remove passkeys along with their sessions', async () => {
  await Authenticator.enroll(member, clock);
  const devices = [await PasskeyDevice.register(member, 'Phone'), await PasskeyDevice.register(member, 'Laptop')];
  const { person } = await signIn(devices[0]!);
  const path = `/users/${member.id}/passkeys`;
  const owner = await createMember(admin, projectId, 'owner');
  expect((await owner.call('DELETE', path)).status).toBe(403);
  expect((await admin.call('GET', '/users')).body.users).toContainEqual(
    expect.objectContaining({ id: member.id, passkeys: 2 }),
  );
  expect((await admin.call('DELETE', path)).status).toBe(204);
  expect((await admin.call('DELETE', path)).status).toBe(404);
  for (const device of devices) expect((await signIn(device)).status).toBe(401);
  expect([await getUser(person), (await getUser(member)).id]).toEqual([null, member.id]);
  const { entries } = (await app.api('GET', '/audit-entries?limit=2&subject=passkey')).body;
  const entry = { operation: 'removePasskeys', change: 'removed', actor: { type: 'person' } };
  expect(entries).toMatchObject([entry, entry]);
  expect((await new Person(app.nest).signIn(member.email, PASSWORD)).body.second_factor_required).toBe(true);
});

it("ends sessions that were started with a deleted passkey when an administrator removes the user's passkeys", async () => {
  const { person } = await signIn(await PasskeyDevice.register(member));
  await app.database.dataSource.query(`DELETE FROM passkeys WHERE user_id = $1`, [member.id]);
  expect((await admin.call('DELETE', `/users/${member.id}/passkeys`)).status).toBe(204);
  expect(await getUser(person)).toBeNull();
});

it('removes passkeys from the command line', async () => {
  const device = await PasskeyDevice.register(member);
  const { codes, errors } = await runCommands(
    app,
    ['remove-passkeys', 'nobody@example.com'],
    ['remove-passkeys', member.email.toUpperCase()],
  );
  expect(codes).toEqual([1, 0]);
  expect(errors).toContain(`${member.email} now has to sign in with a password`);
  expect((await signIn(device)).status).toBe(401);
});

it('removes passkeys along with the account', async () => {
  const device = await PasskeyDevice.register(member);
  await admin.call('DELETE', `/users/${member.id}`);
  expect((await signIn(device)).status).toBe(401);
});
