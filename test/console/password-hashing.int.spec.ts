import { createHook } from 'node:async_hooks';
import { gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { CONSOLE_INTERFACE, type Operation } from '#libs/contracts';
import { HashPool, HashPoolFullError } from '../../apps/console/src/passwords/hash-pool.js';
import { PasswordHasher, SCRYPT_PARAMETERS } from '../../apps/console/src/passwords/password-hasher.service.js';
import { App, type TestResponse } from '../kit/app.js';
import { Person } from '../kit/person.js';

const PASSWORD = 'correct horse battery';
const EMAIL = 'ada@example.com';
const ACCOUNT = { name: 'Grace', email: 'grace@example.com', password: PASSWORD };

let app: App;
let ada: Person;
beforeEach(async () => {
  app = await App.start();
  ada = await Person.administrator(app.nest, EMAIL, PASSWORD);
});
afterEach(() => app.dispose());

const person = (): Person => new Person(app.nest);
const getPath = (url: string): string => new URL(url).pathname;

/** Makes `count` failed sign-in attempts, each from a new address. */
async function failSignIns(count: number, emailOf: (index: number) => string): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1)
    statuses.push((await person().signIn(emailOf(index), 'a wrong password')).status);
  return statuses;
}

const stranger = (index: number): string => `stranger${index}@example.com`;

describe('full hash pool', () => {
  /** Calls by operation, for each operation that accepts a password. They would succeed if the pool had capacity. */
  const CALLS: Record<string, () => Promise<TestResponse>> = {
    signIn: () => person().signIn(EMAIL, PASSWORD),
    setUp: async () => {
      await app.database.dataSource.query(`UPDATE users SET is_admin = false`);
      const { code } = (await app.api('POST', '/setup-codes', {})).body;
      return person().call('POST', '/setup', { code, ...ACCOUNT });
    },
    acceptInvitation: async () => {
      const [project] = (await ada.call('GET', '/projects')).body.projects;
      const { body } = await ada.call('POST', `/projects/${project.id}/invitations`, { role: 'viewer' });
      return person().call('POST', getPath(body.url), ACCOUNT);
    },
    resetPassword: async () => {
      const { body } = await ada.call('POST', '/password-resets', { email: EMAIL });
      return person().call('POST', getPath(body.url), { password: 'another horse battery' });
    },
    confirmSession: () => ada.call('POST', '/session/confirmation', { password: PASSWORD }),
    changePassword: () =>
      ada.call('PUT', '/session/password', { current_password: PASSWORD, new_password: 'another horse battery' }),
    changeOwnAccount: () => ada.call('PATCH', '/account', { name: 'Ada', current_password: PASSWORD }),
    createSharedLink: async () => {
      const [project] = (await ada.call('GET', '/projects')).body.projects;
      return ada.call('POST', `/projects/${project.id}/shared-links`, { name: 'For a client', password: PASSWORD });
    },
    openSharedLink: async () => {
      const [project] = (await ada.call('GET', '/projects')).body.projects;
      jest.restoreAllMocks();
      const link = { name: 'For a client', password: PASSWORD };
      const { body } = await ada.call('POST', `/projects/${project.id}/shared-links`, link);
      fillPool();
      return person().call('POST', `${getPath(body.url)}/pass`, { password: PASSWORD });
    },
  };

  const fillPool = () => jest.spyOn(HashPool.prototype, 'run').mockRejectedValue(new HashPoolFullError());
  afterEach(() => jest.restoreAllMocks());

  const acceptsPassword = ({ body }: Operation): boolean =>
    Object.keys((body as { properties?: object } | undefined)?.properties ?? {}).some((name) => /password/.test(name));

  /** The mail server's password is encrypted, not hashed. */
  const isHashed = ({ id }: Operation): boolean => id !== 'changeMailServer';

  it('tests every operation that hashes a password', () => {
    const declared = CONSOLE_INTERFACE.operations
      .filter(acceptsPassword)
      .filter(isHashed)
      .map(({ id }) => id);
    expect(declared.toSorted()).toEqual(Object.keys(CALLS).toSorted());
  });

  it.each(Object.keys(CALLS))('responds to %s with 429 and changes nothing', async (id) => {
    fillPool();
    const rejected = await CALLS[id]!();
    expect([rejected.status, rejected.body.type, Number(rejected.headers['retry-after'])]).toEqual([
      429,
      '/docs/problems#too-many-requests',
      2,
    ]);
    expect(rejected.body.detail).toContain('Too many passwords');
    jest.restoreAllMocks();
    expect(await app.database.dataSource.query(`SELECT FROM users WHERE email = $1`, [ACCOUNT.email])).toEqual([]);
    expect((await person().signIn(EMAIL, PASSWORD)).status).toBe(200);
  });
});

it('does not hash passwords in the libuv thread pool', async () => {
  const resources = new Set<string>();
  const hook = createHook({ init: (_, type) => void resources.add(type) }).enable();
  const statuses = [
    (await person().signIn(EMAIL, PASSWORD)).status,
    (await person().signIn(EMAIL, 'a wrong password')).status,
    (await person().signIn('nobody@example.com', PASSWORD)).status,
    (await ada.call('POST', '/session/confirmation', { password: PASSWORD })).status,
  ];
  hook.disable();
  expect(statuses).toEqual([200, 401, 401, 204]);
  expect([...resources].filter((type) => /SCRYPT|PBKDF2|HASHREQUEST|ARGON/i.test(type))).toEqual([]);
});

describe('distributed password guessing', () => {
  const { N } = SCRYPT_PARAMETERS;
  beforeEach(() => {
    SCRYPT_PARAMETERS.N = 2 ** 14;
  });
  afterEach(() => {
    SCRYPT_PARAMETERS.N = N;
  });

  it("doesn't let distributed password guessing delay compressed visits", async () => {
    const order: string[] = [];
    const { pool } = app.nest.get(PasswordHasher);
    const guesses = Array.from({ length: 60 }, async (_, index) => {
      const { status, headers } = await person().signIn(stranger(index), 'a wrong password');
      if (status === 401) order.push('guess');
      return { status, retryAfter: headers['retry-after'] };
    });
    const visit = { request_path: '/', request_method: 'GET', request_headers: {} };
    const recorded = app.nest.inject({
      method: 'POST',
      url: '/visits',
      headers: {
        authorization: `Bearer ${app.accessToken}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      payload: gzipSync(JSON.stringify(visit)),
    });
    expect((await recorded.then((answer) => (order.push('visit'), answer))).statusCode).toBe(204);
    // By the time the visit is accepted, each thread may have processed one guess.
    expect(order.indexOf('visit')).toBeLessThanOrEqual(pool.threads);
    const responses = await Promise.all(guesses);
    expect(responses.filter(({ status }) => status === 401).length).toBeLessThan(60);
    expect(responses.filter(({ status }) => status === 429).map(({ retryAfter }) => Number(retryAfter))).toEqual(
      responses.filter(({ status }) => status === 429).map(() => 2),
    );
  });

  it("doesn't let distributed password guessing delay sign-ins from known devices", async () => {
    const order: string[] = [];
    const grace = await Person.administrator(app.nest, ACCOUNT.email, PASSWORD);
    const guesses = Array.from({ length: 12 }, async (_, index) => {
      await person().signIn(stranger(index), 'a wrong password');
      order.push('guess');
    });
    const { pool } = app.nest.get(PasswordHasher);
    const signIn = grace.signIn(ACCOUNT.email, PASSWORD).then(({ status }) => {
      order.push('known device');
      return status;
    });
    expect(await signIn).toBe(200);
    await Promise.all(guesses);
    expect(order.indexOf('known device')).toBeLessThan(12 - pool.threads);
  });
});

it('limits failed sign-ins from unknown devices across accounts, but admits known devices', async () => {
  const statuses = await failSignIns(130, stranger);
  expect(new Set(statuses.slice(0, 100))).toEqual(new Set([401]));
  expect(statuses).toContain(429);
  // Existing and nonexistent accounts are treated alike.
  const both = await Promise.all(
    Array.from({ length: 10 }, (_, index) => [
      person().signIn(EMAIL, 'a wrong password'),
      person().signIn(stranger(1_000 + index), 'a wrong password'),
    ]).flat(),
  );
  expect(both.map(({ status }) => status)).toContain(429);
  expect((await ada.signIn(EMAIL, PASSWORD)).status).toBe(200);
});

describe('IPv6 client', () => {
  const guessFrom = async (address: string): Promise<number> => {
    const guesser = person();
    guesser.address = address;
    return (await guesser.signIn(stranger(Math.random()), 'a wrong password')).status;
  };
  const createAddresses = (count: number, address: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => address(index));

  it.each([
    ['/64', createAddresses(24, (index) => `2001:db8:1:1::${index + 1}`), '2001:db8:1:200::1'],
    ['/56', createAddresses(48, (index) => `2001:db8:2:${(index % 12).toString(16)}::1`), '2001:db8:2:100::1'],
    [
      '/48',
      createAddresses(96, (index) => `2001:db8:3:${(index % 24).toString(16).padStart(2, '0')}00::1`),
      '2001:db8:4::1',
    ],
  ])('rate-limits an IPv6 client by its %s network', async (_, addresses, elsewhere) => {
    const statuses: number[] = [];
    for (const address of addresses) statuses.push(await guessFrom(address));
    expect(statuses).toContain(429);
    expect(await guessFrom(elsewhere)).toBe(401);
  });
});
