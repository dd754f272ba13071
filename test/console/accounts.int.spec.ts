import { jest } from '@jest/globals';
import { AccountsRepository } from '../../apps/console/src/accounts/accounts.repository.js';
import { SessionCookie } from '../../apps/console/src/access/session-cookie.js';
import { PasswordHasher } from '../../apps/console/src/passwords/password-hasher.service.js';
import { BootstrapRepository } from '../../apps/console/src/bootstrap.repository.js';
import { App, type TestResponse } from '../kit/app.js';
import { until } from '../kit/instance.js';
import { Person } from '../kit/person.js';

const ADMIN = { email: 'Ada@example.com', name: 'Ada', password: 'correct horse battery' };
const COOKIE = 'agent_traffic_session';

let app: App;
beforeAll(async () => {
  app = await App.start();
});
// Don't use `TRUNCATE`, which would also delete the API keys, because they reference their creators.
afterEach(() => query('WITH code AS (DELETE FROM setup_code) DELETE FROM users'));
afterAll(() => app.dispose());

const newCode = async (): Promise<string> => (await app.api('POST', '/setup-codes', {})).body.code;
const person = (): Person => new Person(app.nest);
const toRejection = ({ status, body }: TestResponse) => [status, body.detail];

const bootstrapAdmin = (email: string, password: string) =>
  app.nest.get(BootstrapRepository).bootstrap({ administrator: { email, password } });

/**
 * Repeats the attempt until it returns 429. Stops after 100 times, because the limit refills. @returns the status codes
 */
async function attemptUntilRateLimited(attempt: (number: number) => Promise<number>): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < 100) statuses.push(await attempt(statuses.length));
  return statuses;
}

let adminCount = 0;

/** Signs in as a new administrator, who has no failed attempts yet. */
async function newAdmin(): Promise<Person & { email: string }> {
  const email = `admin${++adminCount}@example.com`;
  return Object.assign(await Person.administrator(app.nest, email, ADMIN.password), { email });
}

const query = <T>(sql: string, values: unknown[] = []): Promise<T[]> => app.database.dataSource.query(sql, values);

describe('setup', () => {
  it('creates an administrator, and accepts the setup code only once', async () => {
    const ada = person();
    const before = (await ada.call('GET', '/session')).body;
    expect(before).toEqual({ user: null, second_factor_due: false, setup_required: true, oidc: null });
    const code = await newCode();
    const { status, body } = await ada.call('POST', '/setup', { code: code.toLowerCase(), ...ADMIN });
    const user = { id: expect.any(String), email: 'ada@example.com', name: 'Ada', is_admin: true };
    expect([status, body]).toEqual([201, { user }]);
    expect((await ada.call('GET', '/session')).body).toEqual({
      user: body.user,
      setup_required: false,
      second_factor_due: false,
      oidc: null,
    });
    expect((await ada.call('GET', '/projects')).body.projects).toMatchObject([{ role: 'owner' }]);
    const again = await person().call('POST', '/setup', { code, ...ADMIN, email: 'eve@example.com' });
    expect(toRejection(again)).toEqual([409, expect.stringContaining('This instance already has an administrator')]);
    expect((await app.api('POST', '/setup-codes', {})).status).toBe(409);
  });

  it('accepts a setup code only once when requests are concurrent', async () => {
    const code = await newCode();
    const responses = await Promise.all(
      [1, 2, 3].map((number) => person().call('POST', '/setup', { ...ADMIN, code, email: `p${number}@example.com` })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(await query('SELECT FROM users')).toHaveLength(1);
  });

  it('creates only one administrator when setups race in the database', async () => {
    const code = await newCode();
    const outcomes = await Promise.all(
      [1, 2, 3, 4, 5].map((number) =>
        app.nest.get(AccountsRepository).setUp(code, {
          email: `p${number}@example.com`,
          name: 'Ada',
          passwordHash: 'of no matter',
          isAdmin: true,
          isVerified: true,
        }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'already-set-up')).toHaveLength(4);
    expect(await query('SELECT FROM users')).toHaveLength(1);
  });

  it('rejects wrong, replaced, and expired setup codes', async () => {
    const old = await newCode();
    const code = await newCode();
    const attempt = (wrong: string) => person().call('POST', '/setup', { ...ADMIN, code: wrong });
    for (const wrong of ['0000-0000-0000-0000', old, '\0']) {
      expect(toRejection(await attempt(wrong))).toEqual([403, expect.stringContaining('setup code is wrong')]);
    }
    await query(`UPDATE setup_code SET expires_at = now()`);
    expect((await attempt(code)).status).toBe(403);
    expect(await query('SELECT FROM users')).toEqual([]);
    expect(await query<{ hash: Buffer }>('SELECT * FROM setup_code')).not.toEqual(
      expect.arrayContaining([expect.objectContaining({ hash: Buffer.from(code) })]),
    );
  });

  it.each([
    [{ email: 'nobody' }, '/email'],
    [{ email: 'a@b' }, '/email'],
    [{ email: '"odd quoted"@example.com' }, '/email'],
    [{ password: 'short' }, '/password'],
    [{ name: ' ' }, '/name'],
    [{ name: 'a\0b' }, '/name'],
    [{ is_admin: true }, '/is_admin'],
  ])('rejects %j with a pointer to the invalid field', async (wrong, pointer) => {
    const { status, body } = await person().call('POST', '/setup', { code: await newCode(), ...ADMIN, ...wrong });
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it('creates an administrator from environment variables without changing existing accounts', async () => {
    expect((await bootstrapAdmin('Root@example.com', 'from the environment')).setupCode).toBeNull();
    await bootstrapAdmin('root@example.com', 'another one, later');
    const root = person();
    expect((await root.signIn('root@example.com', 'another one, later')).status).toBe(401);
    const { body } = await root.signIn('ROOT@example.com', 'from the environment');
    expect(body.user).toMatchObject({ email: 'root@example.com', is_admin: true });
    expect((await root.call('GET', '/api-keys')).status).toBe(200);
  });
});

describe('sign-in', () => {
  it('sets an HttpOnly, SameSite session cookie', async () => {
    const { headers } = await person().signIn((await newAdmin()).email, ADMIN.password);
    const [cookie, ...others] = [headers['set-cookie']].flat() as string[];
    expect(others).toEqual([expect.stringMatching(/^agent_traffic_device=/)]);
    const attributes = cookie!.split('; ').slice(1);
    expect(cookie).toMatch(new RegExp(`^${COOKIE}=`));
    expect(attributes.toSorted()).toEqual(['HttpOnly', `Max-Age=${30 * 86_400}`, 'Path=/', 'SameSite=Lax']);
  });

  it('returns the same error and does the same work for unknown addresses and wrong passwords', async () => {
    const { email: address } = await newAdmin();
    const hashes = jest.spyOn(app.nest.get(PasswordHasher).pool, 'run');
    const attempt = async (email: string): Promise<[TestResponse, number]> => {
      hashes.mockClear();
      return [await person().signIn(email, 'not the password'), hashes.mock.calls.length];
    };
    const [wrongPassword, hashesForKnownAccount] = await attempt(address);
    const [wrongAddress, hashesForUnknownAccount] = await attempt('nobody@example.com');
    hashes.mockRestore();
    expect(toRejection(wrongPassword)).toEqual([401, 'The email address or password is wrong.']);
    expect(toRejection(wrongAddress)).toEqual(toRejection(wrongPassword));
    // Response times mostly depend on the number of hashes. If it's the same in both cases, they don't reveal whether
    // an account exists.
    expect([hashesForKnownAccount, hashesForUnknownAccount]).toEqual([1, 1]);
  });

  it('rejects invalid email addresses and NUL characters', async () => {
    const { email: address } = await newAdmin();
    for (const email of ['nobody', '\0@example.com', "' OR 1=1 --", `${address}\0`]) {
      expect((await person().signIn(email, 'x')).status).toBe(401);
    }
    expect((await person().signIn(address, '\0')).status).toBe(401);
  });

  it('limits sign-in attempts per account, regardless of the client address', async () => {
    const { email } = await newAdmin();
    const statuses = await attemptUntilRateLimited(async () => (await person().signIn(email, 'a guess')).status);
    expect([statuses.slice(0, 9), statuses.at(-1)]).toEqual([Array(9).fill(401), 429]);
    const limited = await person().signIn(` ${email.toUpperCase()}`, ADMIN.password);
    expect([limited.status, Number(limited.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect((await person().signIn('somebody@example.com', 'x')).status).toBe(401);
  });

  it('limits sign-in attempts per client address, regardless of the account', async () => {
    const eve = person();
    const statuses = await attemptUntilRateLimited(
      async (attempt) => (await eve.signIn(`p${attempt}@example.com`, 'x')).status,
    );
    expect([statuses.slice(0, 20), statuses.at(-1)]).toEqual([Array(20).fill(401), 429]);
    expect((await person().signIn('p1@example.com', 'x')).status).toBe(401);
  });
});

describe('sessions', () => {
  it('ends only the current session on sign-out', async () => {
    const ada = await newAdmin();
    const elsewhere = person();
    await elsewhere.signIn(ada.email, ADMIN.password);
    const stolen = ada.copy();
    expect((await ada.call('DELETE', '/session')).status).toBe(204);
    expect(ada.cookies.has(COOKIE)).toBe(false);
    expect((await stolen.call('GET', '/projects')).status).toBe(401);
    expect((await stolen.call('GET', '/session')).body.user).toBeNull();
    expect((await elsewhere.call('GET', '/projects')).status).toBe(200);
    expect((await ada.call('DELETE', '/session')).status).toBe(204);
  });

  it('ends all other sessions when the password changes', async () => {
    const ada = await newAdmin();
    const elsewhere = person();
    await elsewhere.signIn(ada.email, ADMIN.password);
    const change = (current: string) =>
      ada.call('PUT', '/session/password', { current_password: current, new_password: 'another horse battery' });
    const wrong = await change('not the password');
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/current_password']);
    expect((await elsewhere.call('GET', '/projects')).status).toBe(200);
    const stolen = ada.copy();
    expect((await change(ADMIN.password)).status).toBe(204);
    expect((await ada.call('GET', '/projects')).status).toBe(200);
    for (const other of [elsewhere, stolen]) expect((await other.call('GET', '/projects')).status).toBe(401);
    expect((await person().signIn(ada.email, ADMIN.password)).status).toBe(401);
    expect((await person().signIn(ada.email, 'another horse battery')).status).toBe(200);
    expect((await app.api('PUT', '/session/password', {})).status).toBe(403);
  });

  it('expires a session 30 days after its last use', async () => {
    const ada = await newAdmin();
    const days = async (): Promise<number> => {
      const [row] = await query<{ days: number }>(
        `SELECT extract(epoch FROM expires_at - now())::float8 / 86400 AS days FROM user_sessions`,
      );
      return Math.round(row!.days);
    };
    expect(await days()).toBe(30);
    await query(`UPDATE user_sessions SET expires_at = now() + interval '20 days'`);
    const response = await until(
      async () => {
        const session = await ada.call('GET', '/session');
        return session.headers['set-cookie'] !== undefined && session;
      },
      { condition: 'the session is renewed' },
    );
    expect([response.status, response.body.user.email, await days()]).toEqual([200, ada.email, 30]);
    await query(`UPDATE user_sessions SET expires_at = now()`);
    await until(async () => (await ada.call('GET', '/projects')).status === 401, {
      condition: 'the session has ended',
    });
  });

  it("stores sessions only as hashes that can't be used as credentials", async () => {
    await newAdmin();
    const [row] = await query<{ hash: Buffer }>(`SELECT hash FROM user_sessions`);
    const thief = person();
    const cookies = app.nest.get(SessionCookie);
    const tokens = (['base64url', 'hex', 'latin1'] as const).map((encoding) => row!.hash.toString(encoding));
    const signed = tokens.map((token) => decodeURIComponent(/=([^;]*)/.exec(cookies.issue(token))![1]!));
    for (const value of [...tokens, `${tokens[0]}.${Buffer.alloc(32).toString('base64')}`, ...signed]) {
      thief.cookies.set(COOKIE, encodeURIComponent(value));
      expect((await thief.call('GET', '/projects')).status).toBe(401);
    }
    const [login] = await query<{ password: string }>(`SELECT password FROM user_logins`);
    expect(login!.password).not.toContain(ADMIN.password);
  });

  it('rejects changes requested by other sites', async () => {
    const ada = await newAdmin();
    const create = (headers: Record<string, string>) => ada.call('POST', '/projects', { name: 'x' }, headers);
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', origin: 'https://other.visits.example' },
      { 'sec-fetch-site': '', origin: 'https://evil.example' },
      { 'sec-fetch-site': '', origin: 'null' },
      { 'sec-fetch-site': '' },
    ];
    for (const headers of foreign) {
      expect([headers, (await create(headers)).status]).toEqual([headers, 403]);
      const signOut = await ada.call('DELETE', '/session', undefined, headers);
      expect(signOut.status).toBe(403);
    }
    const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const signIn = await person().call('POST', '/session', { email: ada.email, password: ADMIN.password }, elsewhere);
    expect(signIn.status).toBe(403);
    expect((await create({ 'sec-fetch-site': '', host: 'a.example', origin: 'http://a.example' })).status).toBe(201);
    expect((await ada.call('GET', '/projects', undefined, elsewhere)).status).toBe(200);
    // Browsers never attach API keys automatically.
    const key = { authorization: `Bearer ${app.apiKey}` };
    expect((await ada.call('POST', '/projects', { name: 'x' }, { ...elsewhere, ...key })).status).toBe(201);
  });
});

it('sets secure cookies when the public URL uses https', async () => {
  const secure = await App.start({ publicUrl: 'https://visits.example' });
  const { body } = await secure.api('POST', '/setup-codes', {});
  const ada = new Person(secure.nest);
  const { headers } = await ada.call('POST', '/setup', { ...ADMIN, code: body.code });
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-agent_traffic_session=.*; Secure/),
    expect.stringMatching(/^__Host-agent_traffic_device=.*; Secure/),
  ]);
  expect((await ada.call('GET', '/session')).body.user.name).toBe('Ada');
  await secure.dispose();
});

it('limits setup code guesses, regardless of the client address', async () => {
  const other = await App.start();
  const statuses = await attemptUntilRateLimited(
    async (guess) => (await new Person(other.nest).call('POST', '/setup', { ...ADMIN, code: `guess ${guess}` })).status,
  );
  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(403));
  expect(statuses.at(-1)).toBe(429);
  await other.dispose();
});
