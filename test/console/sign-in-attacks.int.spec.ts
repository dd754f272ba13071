import { jest } from '@jest/globals';
import { CONSOLE_INTERFACE } from '#libs/contracts';
import { SessionCookie } from '../../apps/console/src/access/session-cookie.js';
import { PasswordHasher } from '../../apps/console/src/passwords/password-hasher.service.js';
import { App, type Json } from '../kit/app.js';
import { Authenticator, TestClock } from '../kit/authenticator.js';
import { OIDC_CLIENT, OpenIdProvider } from '../kit/openid-provider.js';
import { Person, type Method } from '../kit/person.js';
import {
  createRequestBody,
  createMember,
  createTenant,
  PASSWORD,
  createOperationUrl,
  type Tenant,
} from '../kit/tenant.js';

const SESSION = 'agent_traffic_session';
const PUBLIC_URL = 'http://127.0.0.1:3000';
const CALLBACK = '/session/oidc/callback';
const clock = new TestClock();

let provider: OpenIdProvider;
let app: App;
let admin: Person;
let tenant: Tenant;

beforeAll(async () => {
  for (const level of ['warn', 'info'] as const) jest.spyOn(console, level).mockImplementation(() => undefined);
  provider = await OpenIdProvider.start(`${PUBLIC_URL}/api${CALLBACK}`);
  app = await start();
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  tenant = await createTenant(app, admin, 'Site');
});
afterAll(async () => {
  jest.restoreAllMocks();
  await app?.dispose();
  await provider?.dispose();
});

const oidc = () => ({
  issuer: provider.issuer,
  ...OIDC_CLIENT,
  name: 'Example Login',
  adminEmails: [],
  signUp: true,
  trustEmails: false,
  onlyDomains: [],
});
const start = (publicUrl = PUBLIC_URL): Promise<App> => App.start({ clock: clock.now, publicUrl, oidc: oidc() });

const getUser = async (person: Person): Promise<Json> => (await person.call('GET', '/session')).body.user;
const isOpen = async (person: Person): Promise<boolean> => (await person.call('GET', '/account')).status === 200;
const countSessions = async (id: string): Promise<number> =>
  (
    await app.database.dataSource.query(`SELECT count(*)::int AS sessions FROM user_sessions WHERE user_id = $1`, [id])
  )[0].sessions;
const registerPerson = (name: string): void =>
  void provider.claimsByName.set(name, { email: `${name}@example.com`, email_verified: true, name });

/** Signs in with the provider. @returns the callback path */
async function signInWithProvider(person: Person, name: string, returnTo = '/projects'): Promise<string> {
  const { headers } = await person.call('GET', `/session/oidc?return_to=${encodeURIComponent(returnTo)}`);
  const { pathname, search } = new URL(await provider.signIn(String(headers['location']), name));
  return pathname.replace('/api', '') + search;
}

function runDuringNextPasswordCheck(work: () => Promise<unknown>): void {
  const hasher = app.nest.get(PasswordHasher);
  const verify = hasher.verify.bind(hasher);
  jest.spyOn(hasher, 'verify').mockImplementationOnce(async (...of) => {
    const isRight = await verify(...of);
    await work();
    return isRight;
  });
}

describe('session', () => {
  it("doesn't reuse a session token that was set before sign-in", async () => {
    const person = await createMember(admin, tenant.id, 'member');
    const planted = app.nest.get(SessionCookie).issue('token-that-somebody-else-knows');
    const browser = new Person(app.nest);
    browser.cookies.set(SESSION, /=([^;]*)/.exec(planted)![1]!);
    const attacker = browser.copy();
    expect((await browser.signIn(person.email, PASSWORD)).status).toBe(200);
    expect([await isOpen(browser), await isOpen(attacker)]).toEqual([true, false]);
  });

  it('issues a new session token when the second factor is set up or removed', async () => {
    const person = await createMember(admin, tenant.id, 'member');
    for (const change of [
      () => Authenticator.enroll(person, clock),
      async () => expect((await person.call('DELETE', '/account/second-factor')).status).toBe(204),
    ]) {
      const stolen = person.copy();
      expect(await isOpen(stolen)).toBe(true);
      await change();
      expect([await isOpen(person), await isOpen(stolen), await countSessions(person.id)]).toEqual([true, false, 1]);
    }
  });
});

describe('password check in progress', () => {
  it("doesn't open a session if the password changes while it is being checked", async () => {
    const person = await createMember(admin, tenant.id, 'member');
    const next = { current_password: PASSWORD, new_password: 'another horse battery' };
    runDuringNextPasswordCheck(async () =>
      expect((await person.call('PUT', '/session/password', next)).status).toBe(204),
    );
    const thief = new Person(app.nest);
    expect((await thief.signIn(person.email, PASSWORD)).status).toBe(401);
    expect([await getUser(thief), await countSessions(person.id)]).toEqual([null, 1]);
  });

  it("requires the second factor if it's set up during the password check", async () => {
    const person = await createMember(admin, tenant.id, 'member');
    runDuringNextPasswordCheck(() => Authenticator.enroll(person, clock));
    const thief = new Person(app.nest);
    const { body } = await thief.signIn(person.email, PASSWORD);
    expect(body).toEqual({ user: null, second_factor_required: true });
    expect([await getUser(thief), await countSessions(person.id)]).toEqual([null, 1]);
  });
});

describe('provider callback', () => {
  it('opens only one session per provider callback, even when requests are concurrent', async () => {
    registerPerson('twin');
    const person = new Person(app.nest);
    const back = await signInWithProvider(person, 'twin');
    const browsers = Array.from({ length: 5 }, () => person.copy());
    const responses = await Promise.all(browsers.map((browser) => browser.call('GET', back)));
    const destinations = responses.map(({ headers }) => headers['location']).toSorted();
    expect(destinations).toEqual(['/projects', ...Array(4).fill('/sign-in?error=expired')]);
    const users = await Promise.all(browsers.map(getUser));
    expect(users.filter((user) => user !== null)).toMatchObject([{ email: 'twin@example.com' }]);
  });

  it('rejects a provider callback after the sign-in expires', async () => {
    registerPerson('slow');
    const person = new Person(app.nest);
    const back = await signInWithProvider(person, 'slow');
    await app.database.dataSource.query(`UPDATE oidc_sign_ins SET expires_at = now()`);
    expect((await person.call('GET', back)).headers['location']).toBe('/sign-in?error=expired');
  });

  it("accepts a provider callback only for the browser's most recent sign-in", async () => {
    registerPerson('first');
    registerPerson('second');
    const person = new Person(app.nest);
    const first = await signInWithProvider(person, 'first');
    const second = await signInWithProvider(person, 'second');
    expect((await person.call('GET', first)).headers['location']).toBe('/sign-in?error=expired');
    // Combine the code from one sign-in with the state from another.
    const mixed = new URLSearchParams(second.split('?')[1]);
    mixed.set('code', new URLSearchParams(first.split('?')[1]).get('code')!);
    expect((await person.call('GET', `${CALLBACK}?${mixed}`)).headers['location']).toBe('/sign-in?error=failed');
    expect((await person.call('GET', second)).headers['location']).toBe('/sign-in?error=expired');
    expect(await getUser(person)).toBeNull();
  });

  it("rejects a provider callback when the provider doesn't respond in time", async () => {
    registerPerson('waiting');
    const person = new Person(app.nest);
    const back = await signInWithProvider(person, 'waiting');
    provider.overrideHandler = () => undefined;
    try {
      const response = await person.call('GET', back);
      expect(response.headers['location']).toBe('/sign-in?error=provider_unreachable');
    } finally {
      provider.overrideHandler = null;
    }
    expect(await getUser(person)).toBeNull();
  });

  it('preserves the current session when a provider callback fails', async () => {
    const person = await createMember(admin, tenant.id, 'member');
    const { location } = (await person.call('GET', `${CALLBACK}?code=x&state=y&iss=${provider.issuer}`)).headers;
    expect([location, await isOpen(person)]).toEqual(['/sign-in?error=expired', true]);
  });
});

it('rejects cross-site requests to every operation that changes data', async () => {
  const owner = tenant.owner;
  const changing = CONSOLE_INTERFACE.operations.filter(({ method }) => method.toUpperCase() !== 'GET');
  expect(changing.length).toBeGreaterThan(50);
  const before = (await app.api('GET', '/audit-entries?limit=1000')).body.entries.length;
  const origin = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  const passed: unknown[] = [];
  for (const { id, method, path } of changing) {
    const { status } = await owner.call(
      method.toUpperCase() as Method,
      createOperationUrl(path.replace('/api', ''), tenant, { token: tenant.secret }),
      method.toUpperCase() === 'DELETE' ? undefined : createRequestBody(id, tenant),
      origin,
    );
    if (status !== 403) passed.push([id, status]);
  }
  expect(passed).toEqual([]);
  expect((await app.api('GET', '/audit-entries?limit=1000')).body.entries.length).toBe(before);
});

it.each([
  [PUBLIC_URL, 'agent_traffic_', /^HttpOnly; SameSite=Lax$/],
  ['https://visits.example', '__Host-agent_traffic_', /^HttpOnly; SameSite=Lax; Secure$/],
])('protects every cookie from scripts and other sites when the public URL is %s', async (publicUrl, prefix, flags) => {
  const other = await start(publicUrl);
  try {
    const person = await Person.administrator(other.nest, 'root@example.com', PASSWORD);
    const seen = new Map<string, string>();
    const recordCookies = async (response: Promise<{ headers: Json }>): Promise<void> => {
      for (const cookie of [(await response).headers['set-cookie'] ?? []].flat() as string[]) {
        const [, name = '', attributes = ''] = /^([^=]+)=[^;]*; Path=\/; Max-Age=\d+; (.*)$/.exec(cookie) ?? [];
        seen.set(name.replace(prefix, ''), attributes);
      }
    };
    await recordCookies(person.call('GET', '/session/oidc'));
    await recordCookies(person.signIn('root@example.com', PASSWORD));
    if (publicUrl.startsWith('https')) await recordCookies(person.call('POST', '/session/passkey/options', {}));
    await Authenticator.enroll(person, clock);
    await recordCookies(new Person(other.nest).signIn('root@example.com', PASSWORD));
    await recordCookies(person.call('DELETE', '/session'));
    for (const name of ['oidc', 'session', 'device', 'sign_in'])
      expect([name, seen.get(name)]).toEqual([name, expect.stringMatching(flags)]);
    for (const attributes of seen.values()) expect(attributes).toMatch(flags);
  } finally {
    await other.dispose();
  }
});
