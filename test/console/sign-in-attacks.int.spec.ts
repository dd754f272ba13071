import { jest } from '@jest/globals';
import { CONSOLE_INTERFACE } from '#libs/contracts';
import { SessionCookie } from '../../apps/console/src/access/session-cookie.js';
import { PasswordHasher } from '../../apps/console/src/passwords/password-hasher.service.js';
import { App, type Json } from '../kit/app.js';
import { Authenticator, TestClock } from '../kit/authenticator.js';
import { CLIENT, OpenIdProvider } from '../kit/openid-provider.js';
import { Person, type Method } from '../kit/person.js';
import { bodyOf, newMember, newTenant, PASSWORD, urlOf, type Tenant } from '../kit/tenant.js';

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
  tenant = await newTenant(app, admin, 'Site');
});
afterAll(async () => {
  jest.restoreAllMocks();
  await app?.dispose();
  await provider?.dispose();
});

const oidc = () => ({
  issuer: provider.issuer,
  ...CLIENT,
  name: 'Example Login',
  adminEmails: [],
  signUp: true,
  trustEmails: false,
  onlyDomains: [],
});
const start = (publicUrl = PUBLIC_URL): Promise<App> => App.start({ clock: clock.now, publicUrl, oidc: oidc() });

const userOf = async (person: Person): Promise<Json> => (await person.call('GET', '/session')).body.user;
const isOpen = async (person: Person): Promise<boolean> => (await person.call('GET', '/account')).status === 200;
const sessionsOf = async (id: string): Promise<number> =>
  (
    await app.database.dataSource.query(`SELECT count(*)::int AS sessions FROM user_sessions WHERE user_id = $1`, [id])
  )[0].sessions;
const known = (name: string): void =>
  void provider.people.set(name, { email: `${name}@example.com`, email_verified: true, name });

/** Signs in at the provider and returns the callback path. */
async function visit(person: Person, name: string, returnTo = '/projects'): Promise<string> {
  const { headers } = await person.call('GET', `/session/oidc?return_to=${encodeURIComponent(returnTo)}`);
  const { pathname, search } = new URL(await provider.visit(String(headers['location']), name));
  return pathname.replace('/api', '') + search;
}

function duringNextCheck(work: () => Promise<unknown>): void {
  const hasher = app.nest.get(PasswordHasher);
  const verify = hasher.verify.bind(hasher);
  jest.spyOn(hasher, 'verify').mockImplementationOnce(async (...of) => {
    const isRight = await verify(...of);
    await work();
    return isRight;
  });
}

describe('session', () => {
  it('does not reuse a token from before the sign-in', async () => {
    const person = await newMember(admin, tenant.id, 'member');
    const planted = app.nest.get(SessionCookie).issue('token-that-somebody-else-knows');
    const browser = new Person(app.nest);
    browser.cookies.set(SESSION, /=([^;]*)/.exec(planted)![1]!);
    const attacker = browser.copy();
    expect((await browser.signIn(person.email, PASSWORD)).status).toBe(200);
    expect([await isOpen(browser), await isOpen(attacker)]).toEqual([true, false]);
  });

  it('gets a new token when the second factor is set up or removed', async () => {
    const person = await newMember(admin, tenant.id, 'member');
    for (const change of [
      () => Authenticator.setUp(person, clock),
      async () => expect((await person.call('DELETE', '/account/second-factor')).status).toBe(204),
    ]) {
      const stolen = person.copy();
      expect(await isOpen(stolen)).toBe(true);
      await change();
      expect([await isOpen(person), await isOpen(stolen), await sessionsOf(person.id)]).toEqual([true, false, 1]);
    }
  });
});

describe('password check in progress', () => {
  it('opens no session if the password changes', async () => {
    const person = await newMember(admin, tenant.id, 'member');
    const next = { current_password: PASSWORD, new_password: 'another horse battery' };
    duringNextCheck(async () => expect((await person.call('PUT', '/session/password', next)).status).toBe(204));
    const thief = new Person(app.nest);
    expect((await thief.signIn(person.email, PASSWORD)).status).toBe(401);
    expect([await userOf(thief), await sessionsOf(person.id)]).toEqual([null, 1]);
  });

  it('requires the second factor if it is set up in the meantime', async () => {
    const person = await newMember(admin, tenant.id, 'member');
    duringNextCheck(() => Authenticator.setUp(person, clock));
    const thief = new Person(app.nest);
    const { body } = await thief.signIn(person.email, PASSWORD);
    expect(body).toEqual({ user: null, second_factor_required: true });
    expect([await userOf(thief), await sessionsOf(person.id)]).toEqual([null, 1]);
  });
});

describe('provider callback', () => {
  it('opens one session, even for concurrent requests', async () => {
    known('twin');
    const person = new Person(app.nest);
    const back = await visit(person, 'twin');
    const browsers = Array.from({ length: 5 }, () => person.copy());
    const answers = await Promise.all(browsers.map((browser) => browser.call('GET', back)));
    const destinations = answers.map(({ headers }) => headers['location']).toSorted();
    expect(destinations).toEqual(['/projects', ...Array(4).fill('/sign-in?error=expired')]);
    const users = await Promise.all(browsers.map(userOf));
    expect(users.filter((user) => user !== null)).toMatchObject([{ email: 'twin@example.com' }]);
  });

  it('is rejected after it expires', async () => {
    known('slow');
    const person = new Person(app.nest);
    const back = await visit(person, 'slow');
    await app.database.dataSource.query(`UPDATE oidc_sign_ins SET expires_at = now()`);
    expect((await person.call('GET', back)).headers['location']).toBe('/sign-in?error=expired');
  });

  it('is valid only for the most recent sign-in of the browser', async () => {
    known('first');
    known('second');
    const person = new Person(app.nest);
    const first = await visit(person, 'first');
    const second = await visit(person, 'second');
    expect((await person.call('GET', first)).headers['location']).toBe('/sign-in?error=expired');
    // The code of one sign-in with the state of another.
    const mixed = new URLSearchParams(second.split('?')[1]);
    mixed.set('code', new URLSearchParams(first.split('?')[1]).get('code')!);
    expect((await person.call('GET', `${CALLBACK}?${mixed}`)).headers['location']).toBe('/sign-in?error=failed');
    expect((await person.call('GET', second)).headers['location']).toBe('/sign-in?error=expired');
    expect(await userOf(person)).toBeNull();
  });

  it('fails if the provider does not respond in time', async () => {
    known('waiting');
    const person = new Person(app.nest);
    const back = await visit(person, 'waiting');
    provider.instead = () => undefined;
    try {
      const answer = await person.call('GET', back);
      expect(answer.headers['location']).toBe('/sign-in?error=provider_unreachable');
    } finally {
      provider.instead = null;
    }
    expect(await userOf(person)).toBeNull();
  });

  it('preserves the current session when it fails', async () => {
    const person = await newMember(admin, tenant.id, 'member');
    const { location } = (await person.call('GET', `${CALLBACK}?code=x&state=y&iss=${provider.issuer}`)).headers;
    expect([location, await isOpen(person)]).toEqual(['/sign-in?error=expired', true]);
  });
});

it('rejects every changing operation from another site', async () => {
  const owner = tenant.owner;
  const changing = CONSOLE_INTERFACE.operations.filter(({ method }) => method.toUpperCase() !== 'GET');
  expect(changing.length).toBeGreaterThan(50);
  const before = (await app.api('GET', '/audit-entries?limit=1000')).body.entries.length;
  const origin = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  const passed: unknown[] = [];
  for (const { id, method, path } of changing) {
    const { status } = await owner.call(
      method.toUpperCase() as Method,
      urlOf(path.replace('/api', ''), tenant, { token: tenant.secret }),
      method.toUpperCase() === 'DELETE' ? undefined : bodyOf(id, tenant),
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
])('protects every cookie from scripts and other sites at %s', async (publicUrl, prefix, flags) => {
  const other = await start(publicUrl);
  try {
    const person = await Person.administrator(other.nest, 'root@example.com', PASSWORD);
    const seen = new Map<string, string>();
    const note = async (answer: Promise<{ headers: Json }>): Promise<void> => {
      for (const cookie of [(await answer).headers['set-cookie'] ?? []].flat() as string[]) {
        const [, name = '', attributes = ''] = /^([^=]+)=[^;]*; Path=\/; Max-Age=\d+; (.*)$/.exec(cookie) ?? [];
        seen.set(name.replace(prefix, ''), attributes);
      }
    };
    await note(person.call('GET', '/session/oidc'));
    await note(person.signIn('root@example.com', PASSWORD));
    if (publicUrl.startsWith('https')) await note(person.call('POST', '/session/passkey/options', {}));
    await Authenticator.setUp(person, clock);
    await note(new Person(other.nest).signIn('root@example.com', PASSWORD));
    await note(person.call('DELETE', '/session'));
    for (const name of ['oidc', 'session', 'device', 'sign_in'])
      expect([name, seen.get(name)]).toEqual([name, expect.stringMatching(flags)]);
    for (const attributes of seen.values()) expect(attributes).toMatch(flags);
  } finally {
    await other.dispose();
  }
});
