import { generateKeyPairSync } from 'node:crypto';
import { jest } from '@jest/globals';
import { openApiDocuments } from '#libs/contracts';
import { SIGN_IN_ERRORS } from '#libs/sign-in';
import { AccessChanges } from '../../apps/console/src/access/access-changes.service.js';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../apps/console/src/console-settings.js';
import { OidcRepository } from '../../apps/console/src/accounts/oidc.repository.js';
import { OidcService } from '../../apps/console/src/accounts/oidc.service.js';
import { BootstrapRepository } from '../../apps/console/src/bootstrap.repository.js';
import { App, type TestResponse, type AppOptions } from '../kit/app.js';
import { Authenticator, TestClock } from '../kit/authenticator.js';
import { OIDC_CLIENT, OpenIdProvider } from '../kit/openid-provider.js';
import { Person } from '../kit/person.js';

const PUBLIC_URL = 'http://127.0.0.1:3000';
const PASSWORD = 'correct horse battery';

const clock = new TestClock();

let provider: OpenIdProvider;
let app: App;
let projectId: string;

beforeAll(async () => {
  // Suppress the provider's setup advice.
  for (const level of ['warn', 'info'] as const) jest.spyOn(console, level).mockImplementation(() => undefined);
  provider = await OpenIdProvider.start(`${PUBLIC_URL}/api/session/oidc/callback`);
  app = await start();
  projectId = (await app.api('GET', '/projects')).body.projects[0].id;
});
afterAll(async () => {
  jest.restoreAllMocks();
  await app.dispose();
  await provider.dispose();
});

const start = (settings: object = {}, options: AppOptions = {}): Promise<App> =>
  App.start({
    clock: clock.now,
    ...options,
    oidc: {
      issuer: provider.issuer,
      ...OIDC_CLIENT,
      name: 'Example Login',
      adminEmails: ['boss@example.com'],
      signUp: false,
      trustEmails: false,
      onlyDomains: [],
      ...settings,
    },
  });

/** Registers a person with the provider. The person doesn't have an account in the app yet. */
function registerPerson(name: string, claims: object = {}): Person {
  provider.claimsByName.set(name, {
    email: `${name}@example.com`,
    email_verified: true,
    name: name.toUpperCase(),
    ...claims,
  });
  return new Person(app.nest);
}

/** Signs in through the provider. @returns the response to the callback */
async function signIn(person: Person, name: string, returnTo = '/projects?sort=name'): Promise<TestResponse> {
  const signInRequest = await person.call('GET', `/session/oidc?return_to=${encodeURIComponent(returnTo)}`);
  expect(signInRequest.status).toBe(302);
  return finish(person, await provider.signIn(String(signInRequest.headers['location']), name));
}

/** Follows the provider's redirect to our callback. */
const finish = (person: Person, back: string): Promise<TestResponse> => {
  const { origin, pathname, search } = new URL(back);
  expect([origin, pathname]).toEqual([PUBLIC_URL, '/api/session/oidc/callback']);
  return person.call('GET', pathname.replace('/api', '') + search, undefined, { 'sec-fetch-site': 'cross-site' });
};

const getUser = async (person: Person) => (await person.call('GET', '/session')).body.user;
const invite = async (role = 'member'): Promise<string> =>
  new URL((await app.api('POST', `/projects/${projectId}/invitations`, { role })).body.url).pathname;
const expectedError = (error: string) => [302, `/sign-in?error=${error}`];
const outcome = ({ status, headers }: TestResponse) => [status, headers['location']];

it("exposes the sign-in provider's name", async () => {
  expect((await new Person(app.nest).call('GET', '/session')).body.oidc).toEqual({ name: 'Example Login' });
});

it('requests sign-in with PKCE, a nonce, and the required scopes and claims', async () => {
  const { headers, status } = await new Person(app.nest).call('GET', '/session/oidc');
  const url = new URL(String(headers['location']));
  expect([status, url.origin]).toEqual([302, provider.issuer]);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: OIDC_CLIENT.clientId,
    response_type: 'code',
    redirect_uri: `${PUBLIC_URL}/api/session/oidc/callback`,
    scope: 'openid email profile',
    state: expect.any(String),
    nonce: expect.any(String),
    code_challenge: expect.any(String),
    code_challenge_method: 'S256',
    // Each of these parameters is enough to make the provider include `auth_time`.
    max_age: '31536000',
    claims: '{"id_token":{"auth_time":{"essential":true}}}',
  });
});

it('rejects people without an invitation and stores no data about them', async () => {
  const stranger = registerPerson('stranger');
  expect(outcome(await signIn(stranger, 'stranger'))).toEqual(expectedError('not_invited'));
  expect(await getUser(stranger)).toBeNull();
  expect(await app.database.dataSource.query(`SELECT FROM users WHERE email LIKE 'stranger%'`)).toEqual([]);
});

it('admits invited people and recognizes them at later sign-ins', async () => {
  const path = await invite();
  const guest = registerPerson('guest');
  expect(outcome(await signIn(guest, 'guest', path))).toEqual([302, path]);
  expect(await getUser(guest)).toMatchObject({ email: 'guest@example.com', name: 'GUEST', is_admin: false });
  expect((await guest.call('POST', path, {})).status).toBe(200);
  expect((await guest.call('GET', '/projects')).body.projects).toMatchObject([{ id: projectId, role: 'member' }]);
  // If the person is already signed in, the provider must prompt for credentials. An existing provider session isn't
  // enough.
  const confirming = new URL(String((await guest.call('GET', '/session/oidc')).headers['location']));
  expect([confirming.searchParams.get('prompt'), confirming.searchParams.get('max_age')]).toEqual(['login', '0']);
  expect((await guest.call('POST', '/session/confirmation', { password: PASSWORD })).status).toBe(409);
  const { body: log } = await app.api('GET', '/audit-entries?subject=session&actor=guest');
  expect(log.entries).toMatchObject([{ operation: 'finishOidcSignIn', change: 'created', actor: { type: 'person' } }]);
  // People are identified by subject, even if their email address at the provider changes.
  provider.claimsByName.set('guest', { email: 'married@example.com', email_verified: false });
  const again = new Person(app.nest);
  expect(outcome(await signIn(again, 'guest'))).toEqual([302, '/projects?sort=name']);
  expect((await getUser(again)).id).toBe((await getUser(guest)).id);
  const { body, status } = await guest.call('PUT', '/session/password', {
    current_password: 'none',
    new_password: PASSWORD,
  });
  expect([status, body.detail]).toEqual([409, expect.stringContaining('no password')]);
});

it('grants the admin role to the configured email addresses', async () => {
  const boss = registerPerson('boss', { email: 'Boss@example.com' });
  expect(outcome(await signIn(boss, 'boss'))[1]).toBe('/projects?sort=name');
  expect(await getUser(boss)).toMatchObject({ email: 'boss@example.com', is_admin: true });
  expect((await boss.call('GET', '/api-keys')).status).toBe(200);
});

it("rejects email addresses that the provider hasn't verified", async () => {
  for (const [name, claims] of Object.entries({
    unverified: { email: 'boss@example.com', email_verified: false },
    unsaid: { email: 'boss@example.com', email_verified: undefined },
    nameless: { email: undefined },
  })) {
    const response = await signIn(registerPerson(name, claims), name);
    expect(outcome(response)).toEqual(expectedError(name === 'nameless' ? 'email_missing' : 'email_not_verified'));
  }
});

it('gives an account to the owner of its email address and locks out the squatter', async () => {
  const squatter = new Person(app.nest);
  const account = { name: 'Squatter', email: 'victim@example.com', password: PASSWORD };
  expect((await squatter.call('POST', await invite(), account)).status).toBe(200);
  const { key } = (await squatter.call('POST', '/account/api-keys', {})).body;
  const withKey = async () =>
    (await new Person(app.nest).call('GET', '/projects', undefined, { authorization: `Bearer ${key}` })).status;
  expect(await withKey()).toBe(200);
  const victim = registerPerson('victim');
  expect(outcome(await signIn(victim, 'victim'))[1]).toBe('/projects?sort=name');
  expect((await getUser(victim)).email).toBe('victim@example.com');
  expect((await squatter.call('GET', '/projects')).status).toBe(401);
  expect(await withKey()).toBe(401);
  expect((await squatter.signIn('victim@example.com', PASSWORD)).status).toBe(401);
});

it("rejects a squatter's in-flight requests", async () => {
  const squatter = new Person(app.nest);
  const account = { name: 'Squatter', email: 'hurried@example.com', password: PASSWORD };
  expect((await squatter.call('POST', await invite(), account)).status).toBe(200);
  const { id } = await getUser(squatter);
  const { url } = (await app.api('POST', '/password-resets', { email: account.email })).body;
  const hurried = registerPerson('hurried');
  const accounts = app.nest.get(OidcRepository);
  const link = accounts.link.bind(accounts);
  const lateStatuses: number[] = [];
  // At this point, other replicas haven't noticed yet that the session has ended.
  jest.spyOn(accounts, 'link').mockImplementationOnce(async (...of) => {
    const outcome = await link(...of);
    lateStatuses.push((await squatter.call('POST', '/account/api-keys', {})).status);
    lateStatuses.push((await squatter.call('PATCH', '/account', { email: 'elsewhere@example.com' })).status);
    lateStatuses.push((await squatter.call('PATCH', '/account', { name: 'Still here' })).status);
    return outcome;
  });
  expect(outcome(await signIn(hurried, 'hurried'))[1]).toBe('/projects?sort=name');
  // The second status is 409, because the email address is managed by the provider now.
  expect(lateStatuses).toEqual([401, 409, 401]);
  expect(await getUser(hurried)).toMatchObject({ id, email: account.email });
  expect((await hurried.call('GET', '/account/api-keys')).body.api_keys).toEqual([]);
  expect((await new Person(app.nest).call('GET', new URL(url).pathname)).status).toBe(404);
});

it("doesn't verify an email address that was changed during the sign-in", async () => {
  const changer = new Person(app.nest);
  const account = { name: 'Changer', email: 'changer@example.com', password: PASSWORD };
  expect((await changer.call('POST', await invite(), account)).status).toBe(200);
  const person = registerPerson('changer');
  const accounts = app.nest.get(OidcRepository);
  const link = accounts.link.bind(accounts);
  jest.spyOn(accounts, 'link').mockImplementationOnce(async (...of) => {
    const change = { email: 'someone-else@example.com', current_password: PASSWORD };
    expect((await changer.call('PATCH', '/account', change)).status).toBe(200);
    return link(...of);
  });
  expect(outcome(await signIn(person, 'changer'))).toEqual(expectedError('failed'));
  expect(await getUser(person)).toBeNull();
  const rows = await app.database.dataSource.query(
    `SELECT email_verified, count(l.*)::int AS logins FROM users u LEFT JOIN user_logins l ON l.user_id = u.id
       AND l.provider <> 'credential' WHERE u.email = 'someone-else@example.com' GROUP BY 1`,
  );
  expect(rows).toEqual([{ email_verified: false, logins: 0 }]);
});

it('requires no second factor after provider sign-in, and removes one that a squatter set up', async () => {
  const squatter = new Person(app.nest);
  const account = { name: 'Squatter', email: 'taken@example.com', password: PASSWORD };
  expect((await squatter.call('POST', await invite(), account)).status).toBe(200);
  await Authenticator.enroll(squatter, clock);
  const pending = new Person(app.nest);
  expect((await pending.signIn(account.email, PASSWORD)).body.second_factor_required).toBe(true);
  const owner = registerPerson('taken');
  expect(outcome(await signIn(owner, 'taken'))[1]).toBe('/projects?sort=name');
  expect((await owner.call('GET', '/account')).body.second_factor).toBeNull();
  expect((await pending.call('POST', '/session/second-factor', { code: '000000' })).status).toBe(401);
});

it('links an account with a second factor only in a recently confirmed session', async () => {
  const administrator = await Person.administrator(app.nest, 'guarded@example.com', PASSWORD);
  const { app: phone } = await Authenticator.enroll(administrator, clock);
  const thief = registerPerson('guarded');
  expect(outcome(await signIn(thief, 'guarded'))).toEqual(expectedError('second_factor'));
  expect(await getUser(thief)).toBeNull();
  // Another person's session, a password without the second factor, and an old confirmation aren't enough.
  const other = await Person.administrator(app.nest, 'other@example.com', PASSWORD);
  expect(outcome(await signIn(other, 'guarded'))).toEqual(expectedError('second_factor'));
  await thief.signIn('guarded@example.com', PASSWORD);
  expect(outcome(await signIn(thief, 'guarded'))).toEqual(expectedError('second_factor'));
  await app.database.dataSource.query(`UPDATE user_sessions SET confirmed_at = now() - interval '11 minutes'`);
  await app.nest.get(AccessChanges).apply();
  expect(outcome(await signIn(administrator, 'guarded'))).toEqual(expectedError('second_factor'));
  const confirmation = { password: PASSWORD, code: await phone.nextCode() };
  expect((await administrator.call('POST', '/session/confirmation', confirmation)).status).toBe(204);
  expect(outcome(await signIn(administrator, 'guarded'))[1]).toBe('/projects?sort=name');
  // Later sign-ins through the provider don't need a second factor. Sign-ins with the password still do.
  const elsewhere = new Person(app.nest);
  expect(outcome(await signIn(elsewhere, 'guarded'))[1]).toBe('/projects?sort=name');
  expect(await getUser(elsewhere)).toMatchObject({ email: 'guarded@example.com' });
  expect((await new Person(app.nest).signIn('guarded@example.com', PASSWORD)).body.second_factor_required).toBe(true);
});

it('accepts provider sign-in, unlike a password, for the second factor requirement', async () => {
  const strict = await start({ adminEmails: ['both@example.com'] }, { secondFactor: 'administrators' });
  try {
    provider.claimsByName.set('both', { email: 'both@example.com', email_verified: true, name: 'Both' });
    await strict.nest
      .get(BootstrapRepository)
      .bootstrap({ administrator: { email: 'both@example.com', password: PASSWORD } });
    const person = new Person(strict.nest);
    expect(outcome(await signIn(person, 'both'))[1]).toBe('/projects?sort=name');
    expect((await person.call('GET', '/users')).status).toBe(200);
    // A password change opens a new session, which still counts as a provider session.
    const change = { current_password: PASSWORD, new_password: `${PASSWORD} anew` };
    expect((await person.call('PUT', '/session/password', change)).status).toBe(204);
    expect((await person.call('GET', '/users')).status).toBe(200);
    const other = new Person(strict.nest);
    expect((await other.signIn('both@example.com', change.new_password)).status).toBe(200);
    expect((await other.call('GET', '/users')).body.type).toBe('/docs/problems#second-factor-required');
  } finally {
    await strict.dispose();
  }
});

it('preserves the password for an administrator created at setup', async () => {
  await app.nest
    .get(BootstrapRepository)
    .bootstrap({ administrator: { email: 'root@example.com', password: PASSWORD } });
  const root = registerPerson('root');
  await signIn(root, 'root');
  expect(await getUser(root)).toMatchObject({ email: 'root@example.com', is_admin: true });
  expect((await new Person(app.nest).signIn('root@example.com', PASSWORD)).status).toBe(200);
});

it('accepts a code only once and only in the browser that started the sign-in', async () => {
  const mallory = registerPerson('mallory');
  const path = await invite();
  const signInRequest = await mallory.call('GET', `/session/oidc?return_to=${path}`);
  const back = await provider.signIn(String(signInRequest.headers['location']), 'mallory');
  const victim = new Person(app.nest);
  expect(outcome(await finish(victim, back))).toEqual(expectedError('expired'));
  expect(await getUser(victim)).toBeNull();
  expect(outcome(await finish(mallory, back))[1]).toBe(path);
  expect(outcome(await finish(mallory, back))).toEqual(expectedError('expired'));
  const forged = new URL(back);
  forged.searchParams.set('state', 'forged');
  expect(outcome(await finish(mallory, forged.href))).toEqual(expectedError('expired'));
});

it('reports canceled sign-ins', async () => {
  const person = new Person(app.nest);
  const { headers } = await person.call('GET', '/session/oidc');
  const state = new URL(String(headers['location'])).searchParams.get('state')!;
  const back = `${PUBLIC_URL}/api/session/oidc/callback?error=access_denied&state=${state}&iss=${provider.issuer}`;
  expect(outcome(await finish(person, back))).toEqual(expectedError('cancelled'));
});

it('rate-limits callbacks, and reloads access rights only after successful sign-ins and sign-outs', async () => {
  const apply = jest.spyOn(app.nest.get(AccessChanges), 'apply');
  const eve = new Person(app.nest);
  const back = `${PUBLIC_URL}/api/session/oidc/callback?code=x&state=forged&iss=${provider.issuer}`;
  const responses = await Promise.all(Array.from({ length: 130 }, () => finish(eve, back)));
  expect(outcome(responses[0]!)).toEqual(expectedError('expired'));
  expect(responses.some(({ status }) => status === 429)).toBe(true);
  await new Person(app.nest).call('DELETE', '/session');
  expect(apply).not.toHaveBeenCalled();
  const boss = registerPerson('boss');
  await signIn(boss, 'boss');
  expect(apply).toHaveBeenCalledTimes(1);
  await boss.call('DELETE', '/session');
  expect(apply).toHaveBeenCalledTimes(2);
  apply.mockRestore();
});

it("doesn't match look-alike email addresses to an account", async () => {
  // The Kelvin sign (U+212A) lowercases to k.
  const imposter = registerPerson('imposter', { email: 'bac\u212Aup@example.com' });
  const owner = new Person(app.nest);
  const account = { name: 'Backup', email: 'backup@example.com', password: PASSWORD };
  expect((await owner.call('POST', await invite(), account)).status).toBe(200);
  expect(outcome(await signIn(imposter, 'imposter'))).toEqual(expectedError('email_missing'));
});

it('binds an account to one identity, even when the email address changes hands', async () => {
  const first = registerPerson('first', { email: 'shared@example.com' });
  const path = await invite();
  expect(outcome(await signIn(first, 'first', path))).toEqual([302, path]);
  const second = registerPerson('second', { email: 'shared@example.com' });
  expect(outcome(await signIn(second, 'second', await invite()))).toEqual(expectedError('other_identity'));
  expect(await getUser(second)).toBeNull();
  expect((await getUser(first)).email).toBe('shared@example.com');
  const rows = await app.database.dataSource.query(
    `SELECT subject FROM user_logins JOIN users u ON u.id = user_id WHERE u.email = 'shared@example.com'`,
  );
  expect(rows).toEqual([{ subject: `${provider.issuer}#first` }]);
});

it('rejects the same subject from another issuer', async () => {
  const person = registerPerson('moved');
  expect(outcome(await signIn(person, 'moved', await invite()))[1]).toMatch(/^\/invitations\//);
  const other = await OpenIdProvider.start(`${PUBLIC_URL}/api/session/oidc/callback`);
  const service = app.nest.get(OidcService);
  const { oidc: settings }: ConsoleSettings = app.nest.get(CONSOLE_SETTINGS);
  const visit = async (email: string) => {
    other.claimsByName.set('moved', { email, email_verified: true });
    const stranger = new Person(app.nest);
    const signInRequest = await stranger.call('GET', '/session/oidc');
    return finish(stranger, await other.signIn(String(signInRequest.headers['location']), 'moved'));
  };
  Object.assign(settings!, { issuer: other.issuer });
  service['configurationPromise'] = null;
  try {
    expect(outcome(await visit('somebody-else@example.com'))).toEqual(expectedError('not_invited'));
    expect(outcome(await visit('moved@example.com'))).toEqual(expectedError('other_identity'));
  } finally {
    Object.assign(settings!, { issuer: provider.issuer });
    service['configurationPromise'] = null;
    await other.dispose();
  }
  expect(outcome(await signIn(new Person(app.nest), 'moved'))).toEqual([302, '/projects?sort=name']);
});

const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const epochSecondsIn = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;
const tamperToken =
  (changes: object, ...how: [alg?: 'RS256' | 'HS256' | 'none', key?: typeof otherKey]) =>
  ({ id_token: token, ...response }: Record<string, unknown>) => ({
    ...response,
    id_token: provider.forgeIdToken(token, { ...changes }, ...how),
  });

describe('confirmation', () => {
  afterEach(() => {
    provider.transformTokenResponse = null;
  });
  /** Tries to create an API key, which requires a confirmation within the last ten minutes. */
  const isConfirmed = async (person: Person): Promise<boolean> => {
    const { status, body } = await person.call('POST', '/account/api-keys', {});
    expect([201, 403]).toContain(status);
    if (status === 403) expect(body.type).toBe('/docs/problems#confirmation-required');
    return status === 201;
  };
  const newPerson = async (name: string): Promise<Person> => {
    const person = registerPerson(name);
    expect(outcome(await signIn(person, name, await invite()))[1]).toMatch(/^\/invitations\//);
    return person;
  };
  const expireConfirmation = async (): Promise<void> => {
    await app.database.dataSource.query(`UPDATE user_sessions SET confirmed_at = now() - interval '11 minutes'`);
    await app.nest.get(AccessChanges).apply();
  };

  it('requires a new sign-in with the provider to confirm an action', async () => {
    const person = await newPerson('confirming');
    expect(await isConfirmed(person)).toBe(true);
    await expireConfirmation();
    expect(await isConfirmed(person)).toBe(false);
    expect(outcome(await signIn(person, 'confirming', '/account'))).toEqual([302, '/account']);
    expect(await isConfirmed(person)).toBe(true);
  });

  it.each([
    ['omits the time of the sign-in', 'silent', { auth_time: undefined }],
    ['sends the sign-in time as text', 'wordy', { auth_time: 'just now' }],
    ['reuses an earlier sign-in', 'lenient', { auth_time: epochSecondsIn(-120) }],
  ])('rejects a confirmation when the provider %s', async (_, name, claims) => {
    const person = await newPerson(name);
    await expireConfirmation();
    provider.transformTokenResponse = tamperToken(claims);
    expect(outcome(await signIn(person, name, '/account'))).toEqual(expectedError('not_confirmed'));
    expect(await isConfirmed(person)).toBe(false);
    expect((await getUser(person)).email).toBe(`${name}@example.com`);
  });

  it.each([
    ['an hour ago', { auth_time: epochSecondsIn(-3_600) }, false],
    ['at an unknown time', { auth_time: undefined }, false],
    ['a minute ago', { auth_time: epochSecondsIn(-60) }, true],
    ['in the future', { auth_time: epochSecondsIn(86_400) }, true],
  ])(
    'checks when the provider session started before it accepts a confirmation (%s)',
    async (when, claims, expected) => {
      provider.transformTokenResponse = tamperToken(claims);
      const person = await newPerson(when.replaceAll(' ', '-'));
      expect(await isConfirmed(person)).toBe(expected);
      await app.database.dataSource.query(
        `UPDATE user_sessions SET confirmed_at = confirmed_at - interval '11 minutes'`,
      );
      await app.nest.get(AccessChanges).apply();
      expect(await isConfirmed(person)).toBe(false);
    },
  );
});

describe('hostile provider', () => {
  afterEach(() => {
    provider.transformTokenResponse = null;
  });

  it('accepts a provider that sends an unmodified response', async () => {
    provider.transformTokenResponse = tamperToken({});
    expect(
      outcome(await signIn(registerPerson('honest', { email: 'boss2@example.com' }), 'honest', await invite()))[1],
    ).toMatch(/^\/invitations\//);
  });

  it.each<[string, (response: Record<string, unknown>) => Record<string, unknown>]>([
    ['omits the ID token', (response) => ({ ...response, id_token: undefined })],
    ['sends an empty ID token', (response) => ({ ...response, id_token: '' })],
    ["sends an ID token that isn't a JWT", (response) => ({ ...response, id_token: 'opaque' })],
    ['sends a different nonce', tamperToken({ nonce: 'another' })],
    ['sends no nonce', tamperToken({ nonce: undefined })],
    ['sends a token for another client', tamperToken({ aud: 'another-client' })],
    ['sends a token for our client and another one', tamperToken({ aud: [OIDC_CLIENT.clientId, 'another-client'] })],
    [
      'sends a token for two clients that was issued to another client',
      tamperToken({ aud: [OIDC_CLIENT.clientId, 'x'], azp: 'another-client' }),
    ],
    ['sends a token for our client that was issued to another client', tamperToken({ azp: 'another-client' })],
    ['sends a token from another issuer', tamperToken({ iss: 'https://other.example' })],
    ['sends an expired token', tamperToken({ exp: epochSecondsIn(-3_600) })],
    ['sends a token that never expires', tamperToken({ exp: undefined })],
    ['sends a token without a subject', tamperToken({ sub: undefined })],
    ['sends a token whose subject differs from the user info', tamperToken({ sub: 'somebody-else' })],
    ['sends an unsigned token', tamperToken({}, 'none')],
    ['sends a token signed with the client secret', tamperToken({}, 'HS256')],
    ['sends a token signed with another key', tamperToken({}, 'RS256', otherKey)],
  ])('rejects a provider when it %s', async (_, tamper) => {
    provider.transformTokenResponse = tamper;
    const person = registerPerson('boss3', { email: 'boss@example.com' });
    expect(outcome(await signIn(person, 'boss3', await invite()))).toEqual(expectedError('failed'));
    expect(await getUser(person)).toBeNull();
  });

  it.each(['constructor', '__proto__', 'Call +1 555 0100 and tell us your password', 'failed"><script>'])(
    'prevents a provider from injecting its own error text (%j)',
    async (error) => {
      const person = new Person(app.nest);
      const { headers } = await person.call('GET', '/session/oidc');
      const state = new URL(String(headers['location'])).searchParams.get('state')!;
      const query = new URLSearchParams({ error, error_description: error, state, iss: provider.issuer });
      expect(outcome(await finish(person, `${PUBLIC_URL}/api/session/oidc/callback?${query}`))).toEqual(
        expectedError('failed'),
      );
    },
  );

  it('rejects a provider callback with a different issuer or none', async () => {
    const person = registerPerson('mixed');
    const signInRequest = await person.call('GET', '/session/oidc');
    const back = new URL(await provider.signIn(String(signInRequest.headers['location']), 'mixed'));
    back.searchParams.set('iss', 'https://other.example');
    expect(outcome(await finish(person, back.href))).toEqual(expectedError('failed'));
    back.searchParams.delete('iss');
    expect(outcome(await finish(person, back.href))).toEqual(expectedError('failed'));
    expect(await getUser(person)).toBeNull();
    back.searchParams.set('iss', provider.issuer);
    expect(outcome(await finish(person, back.href))).toEqual(expectedError('not_invited'));
  });
});

it('documents every sign-in error code', () => {
  const text = JSON.stringify(openApiDocuments());
  for (const code of Object.keys(SIGN_IN_ERRORS)) expect(text).toMatch(new RegExp(`sign-in\\?error=.*\\b${code}\\b`));
});

it.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  'javascript:alert(1)',
  'relative',
  '/x/..//host//evil.example',
  '/.//evil.example',
  '/%2e%2e//evil.example',
  '/\t/evil.example',
])('rejects %s as a redirect target', async (returnTo) => {
  const { status } = await new Person(app.nest).call('GET', `/session/oidc?return_to=${encodeURIComponent(returnTo)}`);
  expect(status).toBe(422);
});

it("doesn't store provider tokens", async () => {
  const rows: object[] = await app.database.dataSource.query(`SELECT * FROM user_logins WHERE provider = 'oidc'`);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    expect(row).toMatchObject({ subject: expect.stringContaining('#'), password: null });
    expect(Object.keys(row)).toEqual(['id', 'user_id', 'provider', 'subject', 'password', 'created_at', 'updated_at']);
  }
});

it("admits anyone and trusts email addresses if so configured, unless they're marked unverified", async () => {
  const open = await start({ signUp: true, trustEmails: true });
  provider.claimsByName.set('anybody', { email: 'anybody@example.com' });
  const anybody = new Person(open.nest);
  expect(outcome(await signIn(anybody, 'anybody'))[1]).toBe('/projects?sort=name');
  expect(await getUser(anybody)).toMatchObject({ email: 'anybody@example.com', name: 'anybody@example.com' });
  expect((await new Person(open.nest).call('GET', '/session')).body.setup_required).toBe(true);
  provider.claimsByName.set('denied', { email: 'denied@example.com', email_verified: false });
  expect(outcome(await signIn(new Person(open.nest), 'denied'))).toEqual(expectedError('email_not_verified'));
  await open.dispose();
});

it('allows password sign-in during a provider outage and recovers afterwards', async () => {
  const other = await start();
  await other.nest
    .get(BootstrapRepository)
    .bootstrap({ administrator: { email: 'root@example.com', password: PASSWORD } });
  provider.overrideHandler = (_, response) => void response.writeHead(502).end();
  const person = new Person(other.nest);
  const { status, body } = await person.call('GET', '/session/oidc');
  expect([status, body.detail]).toEqual([503, expect.stringContaining('is not responding')]);
  expect((await person.signIn('root@example.com', PASSWORD)).status).toBe(200);
  provider.overrideHandler = null;
  expect((await person.call('GET', '/session/oidc')).status).toBe(302);
  await other.dispose();
});

it('disables provider sign-in by default', async () => {
  const without = await App.start();
  const person = new Person(without.nest);
  for (const path of ['/session/oidc', '/session/oidc/callback?code=x&state=y']) {
    expect((await person.call('GET', path)).status).toBe(404);
  }
  // The auth library's built-in routes aren't exposed either.
  for (const path of ['/session/sign-in/email', '/session/sign-up/email', '/session/callback/oidc', '/auth/ok']) {
    expect((await person.call('GET', path)).status).toBe(404);
  }
  await without.dispose();
});
