import { AccessChanges } from '../../apps/console/src/access/access-changes.service.js';
import { App, type Answer, type Json } from '../kit/app.js';
import { Authenticator, TestClock } from '../kit/authenticator.js';
import { commandLine } from '../kit/command-line.js';
import { PasskeyDevice, type Lies } from '../kit/passkey-device.js';
import { Person } from '../kit/person.js';
import { newMember, PASSWORD, type Member } from '../kit/tenant.js';

const clock = new TestClock();

let app: App;
let admin: Person;
let projectId: string;
let member: Member;

beforeAll(async () => {
  app = await App.start({ clock: clock.now, secondFactor: 'owners' });
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  await Authenticator.setUp(admin, clock);
  projectId = (await app.api('POST', '/projects', { name: 'Site' })).body.id;
});
beforeEach(async () => {
  member = await newMember(admin, projectId, 'member');
});
afterAll(() => app?.dispose());

const query = (sql: string, parameters: unknown[] = []): Promise<Json[]> =>
  app.database.dataSource.query(sql, parameters);
const userOf = async (person: Person): Promise<Json> => (await person.call('GET', '/session')).body.user;
const passkeysOf = async (person: Person): Promise<Json[]> => (await person.call('GET', '/account')).body.passkeys;
const lastEntry = async (subject: string): Promise<Json> =>
  (await app.api('GET', `/audit-entries?limit=1&subject=${subject}`)).body.entries[0];

const ask = async (person: Person): Promise<Json> => {
  const { status, body } = await person.call('POST', '/session/passkey/options', {});
  expect(status).toBe(200);
  return body.options;
};
const send = (person: Person, credential: Json): Promise<Answer> =>
  person.call('POST', '/session/passkey', { credential });

async function signIn(device: PasskeyDevice, lies: Lies = {}): Promise<Answer & { person: Person }> {
  const person = new Person(app.nest);
  const options = await ask(person);
  return { ...(await send(person, device.sign(options, lies))), person };
}

it('can be registered, used without a password or code, renamed and removed', async () => {
  await Authenticator.setUp(member, clock);
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
  expect(await userOf(person)).toMatchObject({ id: member.id });
  expect(await lastEntry('session')).toMatchObject({ operation: 'signInWithPasskey', actor: { id: member.id } });
  const [passkey] = await passkeysOf(person);
  expect(passkey).toMatchObject({ name: 'Work phone', host: 'localhost', last_used_at: expect.any(String) });
  const path = `/account/passkeys/${passkey!.id}`;
  expect((await person.call('PATCH', path, { name: 'Old phone' })).status).toBe(204);
  expect(await lastEntry('passkey')).toMatchObject({ before: { name: 'Work phone' }, after: { name: 'Old phone' } });
  const stranger = await newMember(admin, projectId, 'member');
  expect((await stranger.call('PATCH', path, { name: 'Mine' })).status).toBe(404);
  expect((await stranger.call('DELETE', path)).status).toBe(404);
  expect((await person.call('DELETE', path)).status).toBe(204);
  expect(await lastEntry('passkey')).toMatchObject({ operation: 'removePasskey', change: 'removed' });
  expect((await signIn(device)).status).toBe(401);
});

it('works for many people and known browsers behind a rate-limited address', async () => {
  const device = await PasskeyDevice.register(member);
  const inOffice = async (person: Person): Promise<number> => {
    person.address = '203.0.113.9';
    return (await send(person, device.sign(await ask(person)))).status;
  };
  const known = new Person(app.nest);
  const statuses = [await inOffice(known)];
  for (let number = 1; number < 15; number += 1) statuses.push(await inOffice(new Person(app.nest)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  const guess = (): Promise<Answer> => {
    const stranger = new Person(app.nest);
    stranger.address = '203.0.113.9';
    return stranger.signIn(`${Math.random()}@example.com`, 'a guess');
  };
  const guesses = await Promise.all(Array.from({ length: 10 }, guess));
  expect(guesses.map(({ status }) => status)).toContain(429);
  await known.call('DELETE', '/session');
  expect(await inOffice(known)).toBe(200);
});

it('satisfies a required second factor, but only when used to sign in', async () => {
  await newMember(admin, projectId, 'owner');
  expect((await admin.call('PATCH', `/projects/${projectId}/members/${member.id}`, { role: 'owner' })).status).toBe(
    200,
  );
  // The owner role already requires a second factor, so the member can't register a passkey.
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
  'satisfies the second factor in a %s session after a password change',
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
  ['of another site', { origin: 'http://localhost.evil.example' }],
  ['of another port', { origin: 'http://localhost:8080' }],
  ['for another host', { rpId: 'evil.example' }],
  ['without the finger, face or PIN', { isUserVerified: false }],
  ['of another challenge', { challenge: 'AAAA' }],
  ['of a registration', { type: 'webauthn.create' }],
  ['with the name of another account', { userHandle: Buffer.alloc(16, 1).toString('base64url') }],
  ['that counts no further', { uses: 0 }],
] as [string, Lies][])('is rejected with a signature %s', async (_, lies) => {
  const device = await PasskeyDevice.register(member);
  // The first sign-in advances the device's signature counter.
  expect((await signIn(device)).status).toBe(200);
  const { status, person } = await signIn(device, lies);
  expect([status, await userOf(person)]).toEqual([401, null]);
});

it('is rejected with the ID of another passkey or an unknown user', async () => {
  const device = await PasskeyDevice.register(member);
  const victim = await PasskeyDevice.register(await newMember(admin, projectId, 'member'));
  expect((await signIn(device, { credentialId: victim.credentialId })).status).toBe(401);
  expect((await signIn(new PasskeyDevice(), { userHandle: '' })).status).toBe(422);
  expect((await signIn(new PasskeyDevice(), { userHandle: 'AA' })).status).toBe(401);
});

it('accepts a challenge only once, before it expires, and in the browser that requested it', async () => {
  const device = await PasskeyDevice.register(member);
  const person = new Person(app.nest);
  // Devices without a signature counter always send 0.
  const signed = device.sign(await ask(person), { uses: 0 });
  expect((await send(new Person(app.nest), signed)).status).toBe(401);
  const answers = await Promise.all([1, 2, 3, 4].map(() => send(person.copy(), signed)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
  expect((await send(person, signed)).status).toBe(401);
  const late = new Person(app.nest);
  const options = await ask(late);
  await query(`UPDATE passkey_challenges SET expires_at = now()`);
  expect((await send(late, device.sign(options, { uses: 0 }))).status).toBe(401);
  // A registration challenge can't be used to sign in.
  const browser = member.copy();
  const { options: creation } = (await browser.call('POST', '/account/passkeys/options', {})).body;
  expect((await send(browser, device.sign(creation, { uses: 0 }))).status).toBe(401);
});

it('allows one registration per challenge, and only after a recent identity confirmation', async () => {
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
    expect((await create(member, device.make(await begin(member), lies))).status).toBe(409);
  }
  const options = await begin(member);
  const made = device.make(options);
  // Another account can't use the challenge, even with the stolen cookie.
  const other = await newMember(admin, projectId, 'member');
  const stolen = member.cookies.get('agent_traffic_passkey')!;
  other.cookies.set('agent_traffic_passkey', stolen);
  expect((await create(other, made)).status).toBe(409);
  expect((await create(member, made)).status).toBe(201);
  expect((await create(member, made)).status).toBe(409);
  expect((await create(other, device.make(await begin(other)))).body.detail).toContain('registered already');
  expect((await begin(member)).excludeCredentials).toMatchObject([{ id: device.credentialId }]);
  await query(`UPDATE user_sessions SET confirmed_at = now() - interval '11 minutes' WHERE user_id = $1`, [member.id]);
  await app.nest.get(AccessChanges).apply();
  expect((await member.call('POST', '/account/passkeys/options', {})).body.type).toBe(
    '/docs/problems#confirmation-required',
  );
  expect((await create(member, made)).body.type).toBe('/docs/problems#confirmation-required');
});

it('requires a password account and a host name, and is limited to 20 per account', async () => {
  for (let number = 0; number < 20; number += 1) await PasskeyDevice.register(member, `Phone ${number}`);
  const { options } = (await member.call('POST', '/account/passkeys/options', {})).body;
  const credential = new PasskeyDevice().make(options);
  expect((await member.call('POST', '/account/passkeys', { name: 'One more', credential })).status).toBe(409);
  const begun = await member.call('POST', '/account/passkeys/options', {}, { host: '127.0.0.1:3000' });
  expect([begun.status, begun.body.detail]).toEqual([409, expect.stringContaining('HTTPS')]);
  await query(
    `UPDATE user_logins SET provider = 'oidc', subject = 'https://id.example#ada', password = NULL WHERE user_id = $1`,
    [member.id],
  );
  expect((await member.call('POST', '/account/passkeys/options', {})).status).toBe(409);
});

it('is removed by a password reset, because an attacker may have added it', async () => {
  const device = await PasskeyDevice.register(member);
  const { status, body } = await app.api('POST', '/password-resets', { email: member.email });
  expect(status).toBe(201);
  const token = String(body.url).split('/').at(-1)!;
  const anew = { password: `${PASSWORD} anew` };
  expect((await new Person(app.nest).call('POST', `/password-resets/${token}`, anew)).status).toBe(200);
  expect((await signIn(device)).status).toBe(401);
});

it('can be removed with its sessions by administrators, but not by owners', async () => {
  await Authenticator.setUp(member, clock);
  const devices = [await PasskeyDevice.register(member, 'Phone'), await PasskeyDevice.register(member, 'Laptop')];
  const { person } = await signIn(devices[0]!);
  const path = `/users/${member.id}/passkeys`;
  const owner = await newMember(admin, projectId, 'owner');
  expect((await owner.call('DELETE', path)).status).toBe(403);
  expect((await admin.call('GET', '/users')).body.users).toContainEqual(
    expect.objectContaining({ id: member.id, passkeys: 2 }),
  );
  expect((await admin.call('DELETE', path)).status).toBe(204);
  expect((await admin.call('DELETE', path)).status).toBe(404);
  for (const device of devices) expect((await signIn(device)).status).toBe(401);
  expect([await userOf(person), (await userOf(member)).id]).toEqual([null, member.id]);
  const { entries } = (await app.api('GET', '/audit-entries?limit=2&subject=passkey')).body;
  const entry = { operation: 'removePasskeys', change: 'removed', actor: { type: 'person' } };
  expect(entries).toMatchObject([entry, entry]);
  expect((await new Person(app.nest).signIn(member.email, PASSWORD)).body.second_factor_required).toBe(true);
});

it('ends the sessions of an already removed passkey on administrator request', async () => {
  const { person } = await signIn(await PasskeyDevice.register(member));
  await app.database.dataSource.query(`DELETE FROM passkeys WHERE user_id = $1`, [member.id]);
  expect((await admin.call('DELETE', `/users/${member.id}/passkeys`)).status).toBe(204);
  expect(await userOf(person)).toBeNull();
});

it('can be removed on the command line', async () => {
  const device = await PasskeyDevice.register(member);
  const { codes, errors } = await commandLine(
    app,
    ['remove-passkeys', 'nobody@example.com'],
    ['remove-passkeys', member.email.toUpperCase()],
  );
  expect(codes).toEqual([1, 0]);
  expect(errors).toContain(`${member.email} signs in with the password`);
  expect((await signIn(device)).status).toBe(401);
});

it('is removed with the account', async () => {
  const device = await PasskeyDevice.register(member);
  await admin.call('DELETE', `/users/${member.id}`);
  expect((await signIn(device)).status).toBe(401);
});
