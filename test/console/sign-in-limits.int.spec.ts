import { RateLimiter } from '#libs/cache';
import { DeviceCookie } from '../../apps/console/src/access/device-cookie.js';
import { App, type TestResponse } from '../kit/app.js';
import { Person } from '../kit/person.js';

const PASSWORD = 'correct horse battery';
const DEVICE = 'agent_traffic_device';

let app: App;
beforeAll(async () => {
  app = await App.start();
});
afterAll(() => app.dispose());
// Refill the bucket that all unknown devices share before each test.
beforeEach(() =>
  app.nest
    .get(RateLimiter, { strict: false })
    .take({ name: 'failed-sign-ins-of-strangers', failsOpen: false }, 'all', -100, { burst: 100, perSecond: 0 }),
);

const person = (): Person => new Person(app.nest);
let accounts = 0;

async function administrator(): Promise<{ ada: Person; email: string }> {
  const email = `ada${++accounts}@example.com`;
  return { ada: await Person.administrator(app.nest, email, PASSWORD), email };
}

/** Guesses the password from different networks until the account locks. */
async function lock(email: string): Promise<void> {
  for (let guess = 0; guess < 11; guess += 1) await person().signIn(email, `guess ${guess}`);
  expect((await person().signIn(email, PASSWORD)).status).toBe(429);
}

async function callRepeatedly(count: number, call: () => Promise<TestResponse>): Promise<number[]> {
  const statuses: number[] = [];
  for (let number = 0; number < count; number += 1) statuses.push((await call()).status);
  return statuses;
}

/** Returns whether any call returned 429. The calls must run concurrently, so the bucket has no time to refill. */
const isLimited = async (calls: readonly Promise<{ status: number }>[]): Promise<boolean> =>
  (await Promise.all(calls)).some(({ status }) => status === 429);

it("doesn't count cross-site requests as sign-in attempts", async () => {
  const ada = person();
  const fromElsewhere = (): Promise<{ statusCode: number }> =>
    app.nest.inject({
      method: 'POST',
      url: '/api/session',
      headers: { 'x-forwarded-for': ada.address, 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
      payload: 'x',
    });
  const statuses = new Set<number>();
  for (let request = 0; request < 130; request += 1) statuses.add((await fromElsewhere()).statusCode);
  expect([...statuses]).toEqual([403]);
  expect((await ada.signIn('ada@example.com', 'a guess')).status).toBe(401);
});

describe('behind two proxies', () => {
  /** Headers after passing an edge proxy and a local TLS proxy, each of which appends its peer's address. */
  const proxyHeaders = (visitor: string) => ({ 'x-forwarded-for': `66.249.66.1, ${visitor}, 127.0.0.1` });
  const guess = (visitor: string) =>
    person().call('POST', '/session', { email: `${Math.random()}@example.com`, password: 'x' }, proxyHeaders(visitor));

  it("counts each visitor's sign-in attempts separately behind two proxies", async () => {
    expect(await isLimited(Array.from({ length: 22 }, () => guess('198.51.100.1')))).toBe(true);
    expect((await guess('198.51.100.2')).status).toBe(401);
  });

  it('counts sign-in attempts by the address that the outer proxy saw, despite forged entries', async () => {
    const forged = Array.from({ length: 22 }, (_, number) => guess(`203.0.113.${number}, 198.51.100.3`));
    expect(await isLimited(forged)).toBe(true);
  });
});

it('counts sign-in attempts from a LAN client by its own address, despite forged headers', async () => {
  const guess = async (number: number): Promise<{ status: number }> => {
    const { statusCode: status } = await app.nest.inject({
      method: 'POST',
      url: '/api/session',
      remoteAddress: '192.168.1.20',
      headers: { 'x-forwarded-for': `203.0.113.${number}`, 'sec-fetch-site': 'same-origin' },
      payload: { email: `p${number}@example.com`, password: 'x' },
    });
    return { status };
  };
  expect(await isLimited(Array.from({ length: 22 }, (_, number) => guess(number)))).toBe(true);
});

describe('known device', () => {
  it("doesn't lock out a known device because of guesses from other networks", async () => {
    const { ada, email } = await administrator();
    await lock(email);
    expect((await ada.signIn(email, PASSWORD)).status).toBe(200);
    expect((await person().signIn(email, PASSWORD)).status).toBe(429);
  });

  it("doesn't lock out a known device because of guesses or floods from its own network", async () => {
    const { ada, email } = await administrator();
    const neighbor = person();
    neighbor.address = ada.address;
    await callRepeatedly(150, () => neighbor.call('POST', '/session', 'no sign-in'));
    expect((await neighbor.signIn(email, PASSWORD)).status).toBe(429);
    expect((await ada.signIn(email, PASSWORD)).status).toBe(200);
  });

  it('limits attempts from a known device separately, even if its cookie is stolen', async () => {
    const { ada, email } = await administrator();
    const stolen = ada.cookies.get(DEVICE)!;
    const statuses = await callRepeatedly(12, () => {
      const thief = person();
      thief.cookies.set(DEVICE, stolen);
      return thief.signIn(email, 'a guess');
    });
    expect([statuses.slice(0, 10), statuses.at(-1)]).toEqual([Array(10).fill(401), 429]);
    // The thief has only used up the limit for the stolen device's cookie.
    expect((await person().signIn(email, PASSWORD)).status).toBe(200);
  });

  it('shares a limit among all known devices for an account', async () => {
    const { email } = await administrator();
    const cookie = app.nest.get(DeviceCookie);
    const guess = (): Promise<TestResponse> => {
      const device = person();
      device.cookies.set(DEVICE, /=([^;]+)/.exec(cookie.issue(email, undefined))![1]!);
      return device.signIn(email, 'a guess');
    };
    const statuses = await callRepeatedly(30, guess);
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(await isLimited(Array.from({ length: 10 }, guess))).toBe(true);
    // Sign-ins without a device cookie have a separate limit.
    expect((await person().signIn(email, PASSWORD)).status).toBe(200);
  });

  it("doesn't recognize a known device in other accounts' sign-ins", async () => {
    const [{ ada }, { email }] = [await administrator(), await administrator()];
    await lock(email);
    expect((await ada.signIn(email, PASSWORD)).status).toBe(429);
  });

  it('rejects a known-device cookie that was forged without the secret', async () => {
    const { email } = await administrator();
    await lock(email);
    const forged = new DeviceCookie('another secret', 'http://127.0.0.1:3000').issue(email, undefined);
    const eve = person();
    eve.cookies.set(DEVICE, /=([^;]+)/.exec(forged)![1]!);
    expect((await eve.signIn(email, PASSWORD)).status).toBe(429);
  });

  it("remembers a known device after sign-out, but doesn't add a device after a wrong password", async () => {
    const { ada, email } = await administrator();
    const eve = person();
    await eve.signIn(email, 'a guess');
    expect(eve.cookies.has(DEVICE)).toBe(false);
    await ada.call('DELETE', '/session');
    expect([...ada.cookies.keys()]).toEqual([DEVICE]);
    await lock(email);
    expect((await ada.signIn(email, PASSWORD)).status).toBe(200);
  });
});

it('unlocks the account for the device that resets the password', async () => {
  const { email } = await administrator();
  await lock(email);
  const { body: reset } = await app.api('POST', '/password-resets', { email });
  const ada = person();
  for (let guess = 0; guess < 22; guess += 1) await ada.signIn(`p${guess}@example.com`, 'x');
  const path = `/password-resets/${new URL(reset.url).pathname.split('/').at(-1)}`;
  expect((await ada.call('POST', path, { password: 'another horse battery' })).status).toBe(200);
  expect((await ada.call('GET', '/session')).body.user.email).toBe(email);
  // Guesses from other devices don't affect this one.
  expect((await ada.signIn(email, 'another horse battery')).status).toBe(200);
});

it('limits unauthenticated requests before reading their bodies', async () => {
  const eve = person();
  // Send these concurrently, because the bucket would refill between responses on a slow machine.
  const counted = Array.from({ length: 130 }, () => eve.call('POST', '/setup', { malformed: true }));
  const unread = ['/session', '/setup', '/invitations/x', '/password-resets/x'].map((path) =>
    app.nest.inject({
      method: 'POST',
      url: `/api${path}`,
      headers: { 'x-forwarded-for': eve.address, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      payload: '{ this is not JSON',
    }),
  );
  const statuses = (await Promise.all(counted)).map(({ status }) => status);
  expect(new Set(statuses.slice(0, 100))).toEqual(new Set([422]));
  expect(statuses.at(-1)).toBe(429);
  for (const { statusCode, headers } of await Promise.all(unread)) {
    expect([statusCode, Number(headers['retry-after'])]).toEqual([429, expect.any(Number)]);
  }
  expect((await eve.call('GET', '/session')).status).toBe(200);
  expect((await person().call('POST', '/setup', { malformed: true })).status).toBe(422);
});
