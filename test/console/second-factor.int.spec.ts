import { AccessChanges } from '../../apps/console/src/access/access-changes.service.js';
import { App, type TestResponse, type Json } from '../kit/app.js';
import { Authenticator, TestClock } from '../kit/authenticator.js';
import { runCommands } from '../kit/command-line.js';
import { Person } from '../kit/person.js';
import { createMember, PASSWORD, type Member } from '../kit/tenant.js';

const SESSION = 'agent_traffic_session';
const PENDING = 'agent_traffic_sign_in';
const clock = new TestClock();

let app: App;
let admin: Person;
let projectId: string;

beforeAll(async () => {
  app = await App.start({ clock: clock.now });
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  projectId = (await app.api('POST', '/projects', { name: 'Site' })).body.id;
});
afterAll(() => app?.dispose());

const query = (sql: string, parameters: unknown[] = []): Promise<Json[]> =>
  app.database.dataSource.query(sql, parameters);
const getUser = async (person: Person): Promise<Json> => (await person.call('GET', '/session')).body.user;
const submitCode = (person: Person, code: string): Promise<TestResponse> =>
  person.call('POST', '/session/second-factor', { code });
const countSessions = async (id: string): Promise<number> =>
  (await query(`SELECT count(*)::int AS sessions FROM user_sessions WHERE user_id = $1`, [id]))[0].sessions;
const entries = async (filter: string): Promise<Json[]> =>
  (await app.api('GET', `/audit-entries?limit=1000&${filter}`)).body.entries;

/** Creates a project member who has a second factor. */
async function createGuardedPerson() {
  const person = await createMember(admin, projectId, 'member');
  return { person, ...(await Authenticator.enroll(person, clock)) };
}

/** Signs in with the password in a new browser. @returns the browser, with the second factor still pending */
async function signInWithPassword({ email }: Member): Promise<Person> {
  const browser = new Person(app.nest);
  const { status, body } = await browser.signIn(email, PASSWORD);
  expect([status, body]).toEqual([200, { user: null, second_factor_required: true }]);
  return browser;
}

/** Backdates the last confirmation of the person's sessions. */
async function backdateConfirmations(id: string, interval: string): Promise<void> {
  await query(`UPDATE user_sessions SET confirmed_at = now() - $2::interval WHERE user_id = $1`, [id, interval]);
  await app.nest.get(AccessChanges).apply();
}

describe('setup', () => {
  it('requires a code to set up a second factor, ends other sessions, and adds an audit log entry', async () => {
    const person = await createMember(admin, projectId, 'member');
    const other = new Person(app.nest);
    await other.signIn(person.email, PASSWORD);
    expect((await person.call('GET', '/account')).body.second_factor).toBeNull();
    const { body: first } = await person.call('POST', '/account/second-factor', {});
    const { body: setup, headers } = await person.call('POST', '/account/second-factor', {});
    expect(headers['cache-control']).toBe('no-store');
    const url = new URL(setup.url);
    expect([url.searchParams.get('secret'), url.searchParams.get('issuer')]).toEqual([
      setup.secret,
      'Agent Traffic (127.0.0.1:3000)',
    ]);
    const activate = (code: string) => person.call('PUT', '/account/second-factor', { code });
    // Restarting setup invalidates the previous secret, in case someone has seen it.
    expect((await activate(await new Authenticator(first.secret, clock).code())).status).toBe(422);
    expect((await person.call('GET', '/account')).body.second_factor).toBeNull();
    expect((await new Person(app.nest).signIn(person.email, PASSWORD)).body.second_factor_required).toBe(false);
    const code = await new Authenticator(setup.secret, clock).code();
    const { status, body } = await activate(`${code.slice(0, 3)} ${code.slice(3)}`);
    expect([status, new Set(body.recovery_codes).size]).toEqual([200, 10]);
    expect((await person.call('GET', '/account')).body.second_factor).toMatchObject({ recovery_codes_left: 10 });
    expect(await getUser(other)).toBeNull();
    expect(await getUser(person)).not.toBeNull();
    // The code used for setup can't be reused for sign-in.
    expect((await submitCode(await signInWithPassword(person), code)).status).toBe(422);
    expect((await activate(code)).status).toBe(409);
    expect((await person.call('POST', '/account/second-factor', {})).status).toBe(409);
    const log = await entries('subject=second_factor');
    expect(log.map(({ operation, change }) => [operation, change])).toEqual([
      ['activateSecondFactor', 'changed'],
      ['beginSecondFactor', 'changed'],
      ['beginSecondFactor', 'created'],
    ]);
    expect(log[0]).toMatchObject({
      actor: { type: 'person', id: person.id },
      subject: { id: person.id, name: person.email },
      after: { recovery_codes: '[hidden]' },
    });
    const text = JSON.stringify(await entries(''));
    for (const secret of [setup.secret, first.secret, ...body.recovery_codes]) expect(text).not.toContain(secret);
    const [row] = await query(`SELECT * FROM second_factors WHERE user_id = $1`, [person.id]);
    expect(row.secret.toString('latin1')).not.toContain(setup.secret);
  });

  it('rejects the setup of a second factor after an hour', async () => {
    const person = await createMember(admin, projectId, 'member');
    const { secret } = (await person.call('POST', '/account/second-factor', {})).body;
    await query(`UPDATE second_factors SET created_at = now() - interval '1 hour' WHERE user_id = $1`, [person.id]);
    const code = await new Authenticator(secret, clock).code();
    expect((await person.call('PUT', '/account/second-factor', { code })).status).toBe(409);
  });

  it('limits code guesses during the setup of a second factor', async () => {
    const person = await createMember(admin, projectId, 'member');
    await person.call('POST', '/account/second-factor', {});
    const guess = () => person.call('PUT', '/account/second-factor', { code: 'abcdef' });
    const statuses = (await Promise.all(Array.from({ length: 30 }, guess))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(11);
    expect(new Set(statuses)).toEqual(new Set([422, 429]));
  });
});

describe('sign-in', () => {
  it('requires the password and a code, and opens exactly one session', async () => {
    const { person, app: phone } = await createGuardedPerson();
    const before = await countSessions(person.id);
    const browser = await signInWithPassword(person);
    expect([browser.cookies.has(SESSION), browser.cookies.has(PENDING)]).toEqual([false, true]);
    expect([await getUser(browser), await countSessions(person.id)]).toEqual([null, before]);
    const wrong = await submitCode(browser, '000000');
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/code']);
    const right = await submitCode(browser, await phone.nextCode());
    expect([right.status, right.body.user.email]).toEqual([200, person.email]);
    expect(browser.cookies.has(PENDING)).toBe(false);
    expect(await getUser(browser)).toMatchObject({ email: person.email });
    expect(await countSessions(person.id)).toBe(before + 1);
    const [entry] = await entries('subject=session');
    expect(entry).toMatchObject({ operation: 'finishSignIn', change: 'created', actor: { id: person.id } });
  });

  it('rejects a sign-in without the second factor', async () => {
    const { person, app: phone } = await createGuardedPerson();
    const browser = await signInWithPassword(person);
    const pending = browser.cookies.get(PENDING)!;
    for (const [method, path] of [
      ['GET', '/projects'],
      ['GET', '/account'],
      ['DELETE', '/account/second-factor'],
      ['POST', '/account/second-factor/recovery-codes'],
    ] as const) {
      expect([path, (await browser.call(method, path, method === 'POST' ? {} : undefined)).status]).toEqual([
        path,
        401,
      ]);
    }
    // A value that was signed for one cookie is invalid in any other cookie.
    browser.cookies.set(SESSION, pending);
    expect(await getUser(browser)).toBeNull();
    browser.cookies.delete(SESSION);
    // The auth library's built-in sign-in routes aren't exposed.
    for (const path of ['sign-in/email', 'open-session', 'two-factor/verify-totp']) {
      const body = { email: person.email, password: PASSWORD };
      expect([path, (await browser.call('POST', `/session/${path}`, body)).status]).toEqual([path, 404]);
    }
    // A password reset link doesn't bypass the second factor.
    const { url } = (await admin.call('POST', '/password-resets', { email: person.email })).body;
    const thief = new Person(app.nest);
    const early = await signInWithPassword(person);
    const reset = await thief.call('POST', new URL(url).pathname, { password: `${PASSWORD} anew` });
    expect([reset.status, reset.body]).toEqual([200, { user: null, second_factor_required: true }]);
    expect([await getUser(thief), await countSessions(person.id)]).toEqual([null, 0]);
    expect((await submitCode(early, await phone.nextCode())).status).toBe(401);
    // An invitation can't create a second account for the same email address.
    const { url: invitation } = (await admin.call('POST', `/projects/${projectId}/invitations`, { role: 'owner' }))
      .body;
    const account = { name: 'Thief', email: person.email, password: PASSWORD };
    expect((await thief.call('POST', new URL(invitation).pathname, account)).status).toBe(409);
    expect(await getUser(thief)).toBeNull();
  });

  it('rejects used codes and codes older than the last one used', async () => {
    const { person, app: phone } = await createGuardedPerson();
    const [former, code] = [await phone.nextCode(), await phone.nextCode()];
    expect((await submitCode(await signInWithPassword(person), code)).status).toBe(200);
    for (const used of [code, former])
      expect((await submitCode(await signInWithPassword(person), used)).status).toBe(422);
    expect((await submitCode(await signInWithPassword(person), await phone.nextCode())).status).toBe(200);
  });

  it('accepts a code only once, even concurrently', async () => {
    const { person, app: phone } = await createGuardedPerson();
    const browsers = await Promise.all([1, 2, 3, 4].map(() => signInWithPassword(person)));
    const before = await countSessions(person.id);
    const code = await phone.nextCode();
    const responses = await Promise.all(browsers.map((browser) => submitCode(browser, code)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422]);
    expect(await countSessions(person.id)).toBe(before + 1);
  });

  it('completes a sign-in only once, even with multiple valid codes', async () => {
    const { person, recoveryCodes } = await createGuardedPerson();
    const browser = await signInWithPassword(person);
    const before = await countSessions(person.id);
    const copies = recoveryCodes.slice(0, 4).map((code) => ({ code, person: browser.copy() }));
    const responses = await Promise.all(copies.map(({ code, person: copy }) => submitCode(copy, code)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    expect(await countSessions(person.id)).toBe(before + 1);
    expect((await submitCode(copies[0]!.person, recoveryCodes[5]!)).status).toBe(401);
  });

  it('accepts each recovery code once, regardless of case and separators', async () => {
    const { person, recoveryCodes } = await createGuardedPerson();
    const typed = ` ${recoveryCodes[0]!.toLowerCase().replaceAll('-', ' ')} `;
    const responses = await Promise.all(
      [1, 2, 3].map(async () => submitCode(await signInWithPassword(person), typed).then(({ status }) => status)),
    );
    expect(responses.toSorted()).toEqual([200, 422, 422]);
    expect((await person.call('GET', '/account')).body.second_factor.recovery_codes_left).toBe(9);
    const [entry] = await entries('subject=second_factor');
    expect(entry).toMatchObject({ operation: 'finishSignIn', before: { recovery_codes: '[hidden]' } });
    const { recovery_codes: fresh } = (await person.call('POST', '/account/second-factor/recovery-codes', {})).body;
    expect((await submitCode(await signInWithPassword(person), recoveryCodes[1]!)).status).toBe(422);
    expect((await submitCode(await signInWithPassword(person), fresh[0])).status).toBe(200);
  });

  it('rejects a code from another browser or person, after the sign-in expires, or after a password change', async () => {
    const { person, app: phone } = await createGuardedPerson();
    const { person: other, app: otherPhone } = await createGuardedPerson();
    expect((await submitCode(new Person(app.nest), await phone.nextCode())).status).toBe(401);
    expect((await submitCode(await signInWithPassword(person), await otherPhone.nextCode())).status).toBe(422);
    const forged = await signInWithPassword(person);
    forged.cookies.set(
      PENDING,
      forged.cookies.get(PENDING)!.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')),
    );
    expect((await submitCode(forged, await phone.nextCode())).status).toBe(401);
    const slow = await signInWithPassword(other);
    await query(`UPDATE pending_sign_ins SET expires_at = now() WHERE user_id = $1`, [other.id]);
    expect((await submitCode(slow, await otherPhone.nextCode())).status).toBe(401);
    const early = await signInWithPassword(other);
    const change = { current_password: PASSWORD, new_password: `${PASSWORD} anew` };
    expect((await other.call('PUT', '/session/password', change)).status).toBe(204);
    expect((await submitCode(early, await otherPhone.nextCode())).status).toBe(401);
    // Delete the account while the sign-in is pending.
    const lateBrowser = await signInWithPassword(person);
    expect((await admin.call('DELETE', `/users/${person.id}`)).status).toBe(204);
    expect((await submitCode(lateBrowser, await phone.nextCode())).status).toBe(401);
  });

  it("requires the password again after five wrong codes, even when they're concurrent", async () => {
    const { person, app: phone } = await createGuardedPerson();
    const browser = await signInWithPassword(person);
    const guesses = await Promise.all(Array.from({ length: 20 }, () => submitCode(browser.copy(), 'abcdef')));
    const counts = [422, 401].map((wanted) => guesses.filter(({ status }) => status === wanted).length);
    expect(counts).toEqual([5, 15]);
    expect((await submitCode(browser, await phone.nextCode())).status).toBe(401);
    expect((await submitCode(await signInWithPassword(person), await phone.nextCode())).status).toBe(200);
  });

  it('limits codes per account, regardless of the network, without locking out known devices', async () => {
    const { person, app: phone } = await createGuardedPerson();
    const home = await signInWithPassword(person);
    expect((await submitCode(home, await phone.nextCode())).status).toBe(200);
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const thief = await signInWithPassword(person);
      for (let guess = 0; guess < 5; guess += 1) {
        thief.address = new Person(app.nest).address;
        statuses.push((await submitCode(thief, 'abcdef')).status);
      }
    }
    expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(10);
    expect(statuses.at(-1)).toBe(429);
    const thief = await signInWithPassword(person);
    expect((await submitCode(thief, await phone.nextCode())).status).toBe(429);
    await home.call('DELETE', '/session');
    await home.signIn(person.email, PASSWORD);
    expect((await submitCode(home, await phone.nextCode())).status).toBe(200);
  });
});

it('limits codes across devices that were known before the second factor was set up', async () => {
  const person = await createMember(admin, projectId, 'member');
  const devices = Array.from({ length: 4 }, () => new Person(app.nest));
  for (const device of devices) expect((await device.signIn(person.email, PASSWORD)).status).toBe(200);
  await Authenticator.enroll(person, clock);
  const statuses: number[] = [];
  for (const device of devices) {
    for (let round = 0; round < 2; round += 1) {
      await device.signIn(person.email, PASSWORD);
      for (let guess = 0; guess < 5; guess += 1) statuses.push((await submitCode(device, 'abcdef')).status);
    }
  }
  expect(statuses.filter((status) => status === 422)).toHaveLength(30);
  expect(statuses.at(-1)).toBe(429);
});

describe('old session', () => {
  it('requires the password and a code in an old session before it can remove the second factor', async () => {
    const { person, app: phone } = await createGuardedPerson();
    await backdateConfirmations(person.id, '11 minutes');
    const confirm = (body: object) => person.call('POST', '/session/confirmation', body);
    const remove = () => person.call('DELETE', '/account/second-factor');
    const change = { current_password: PASSWORD, new_password: `${PASSWORD} anew` };
    const missing = await confirm({ password: PASSWORD });
    expect([missing.status, missing.body.errors[0].pointer]).toEqual([422, '/code']);
    expect((await confirm({ password: PASSWORD, code: '000000' })).status).toBe(422);
    // A password change opens a confirmed session, so the change itself must require confirmation.
    expect((await person.call('PUT', '/session/password', change)).status).toBe(403);
    // Changing the email address requires confirmation, because the owner of the new address could then sign in through
    // a provider.
    const move = { email: 'other@example.com', current_password: PASSWORD };
    expect((await person.call('PATCH', '/account', move)).status).toBe(403);
    expect((await remove()).status).toBe(403);
    const code = await phone.nextCode();
    expect((await confirm({ password: PASSWORD, code })).status).toBe(204);
    await backdateConfirmations(person.id, '11 minutes');
    expect((await confirm({ password: PASSWORD, code })).status).toBe(422);
    expect((await confirm({ password: PASSWORD, code: await phone.nextCode() })).status).toBe(204);
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect((await new Person(app.nest).signIn(person.email, PASSWORD)).body.user).toMatchObject({ id: person.id });
    const [entry] = await entries('subject=second_factor');
    expect(entry).toMatchObject({ operation: 'removeOwnSecondFactor', change: 'removed', actor: { id: person.id } });
  });
});

describe('lost second factor', () => {
  it('allows administrators, but not owners, to remove a lost second factor', async () => {
    const { person } = await createGuardedPerson();
    const owner = await createMember(admin, projectId, 'owner');
    const path = `/users/${person.id}/second-factor`;
    expect((await owner.call('DELETE', path)).status).toBe(403);
    const browser = await signInWithPassword(person);
    expect((await admin.call('GET', '/users')).body.users).toContainEqual(
      expect.objectContaining({ id: person.id, has_second_factor: true }),
    );
    expect((await app.api('DELETE', path)).status).toBe(204);
    expect((await app.api('DELETE', path)).status).toBe(404);
    const [entry] = await entries('subject=second_factor');
    expect(entry).toMatchObject({ operation: 'removeSecondFactor', change: 'removed', actor: { type: 'api_key' } });
    // Removing the second factor doesn't complete pending sign-ins.
    expect((await submitCode(browser, '000000')).status).toBe(422);
    expect((await browser.signIn(person.email, PASSWORD)).body.user).toMatchObject({ id: person.id });
  });

  it('removes a lost second factor from the command line', async () => {
    const { person } = await createGuardedPerson();
    const { codes, errors } = await runCommands(
      app,
      ['remove-second-factor', 'nobody@example.com'],
      ['remove-second-factor', person.email.toUpperCase()],
    );
    expect(codes).toEqual([1, 0]);
    expect(errors).toContain(`${person.email} can now sign in without a second factor`);
    expect((await person.call('GET', '/account')).body.second_factor).toBeNull();
    const [entry] = await entries('subject=second_factor');
    expect(entry).toMatchObject({ actor: { type: 'api_key', via: 'command_line' }, change: 'removed' });
  });
});
