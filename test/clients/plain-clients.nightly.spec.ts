import { Pool } from 'undici';
import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance, pause, until } from '../kit/instance.js';
import { PLAIN_SITES } from './plain-sites.js';

const COUNT = 10_000;
/** Requests before the instance goes. */
const BEFORE = 2_000;
const AWAY_MS = 20_000;
/** Requests a second while it is away: those that come then are most of them. */
const PER_SECOND = 300;

let instance: Instance;
let client: Client;

beforeAll(async () => {
  instance = await Instance.start({ env: { ...CREDENTIALS_ENV, LOG_LEVEL: 'fatal' } });
  client = new Client({ url: instance.url, ...CREDENTIALS });
});
afterAll(() => instance.dispose());

it.each(['gunicorn', 'uvicorn', 'PHP-FPM'] as const)(
  `on %s, ${COUNT} requests are recorded once each, although the instance is away for ${AWAY_MS / 1_000} s`,
  async (name) => {
    const site = await PLAIN_SITES[name]({ url: instance.url, accessToken: CREDENTIALS.accessToken });
    // Nothing is sent on a connection that the server may be closing: gunicorn closes one that was idle for 2 s.
    const pool = new Pool(site.url, { connections: 16, keepAliveTimeout: 500 });
    let next = 0;
    let slowest = 0;
    const statuses = new Set<number>();
    const requestUntil = async (isEnough: () => boolean, perSecond?: number): Promise<void> => {
      const ask = async (): Promise<void> => {
        while (next < COUNT && !isEnough()) {
          const path = `/${name}/numbered/${next++}`;
          const started = performance.now();
          const { statusCode, body } = await pool.request({
            method: 'GET',
            path,
            headers: { 'user-agent': 'GPTBot/1.2' },
          });
          await body.dump();
          statuses.add(statusCode);
          slowest = Math.max(slowest, performance.now() - started);
          if (perSecond !== undefined) await pause(16_000 / perSecond);
        }
      };
      await Promise.all(Array.from({ length: 16 }, ask));
    };

    await requestUntil(() => next >= BEFORE);
    await instance.stop();
    const back = Date.now() + AWAY_MS;
    await requestUntil(() => Date.now() >= back, PER_SECOND);
    expect(next).toBeGreaterThan(BEFORE + 2_000);
    instance = await instance.restart();
    await requestUntil(() => false);
    await pool.destroy();
    await site.stop();
    if (name === 'PHP-FPM') await site.flush();

    const visits = await until(
      async () => {
        const found = await client.visits({ path: `/${name}/numbered/` });
        return found.length >= COUNT && found;
      },
      { what: 'all visits are recorded', within: 60_000, explain: () => site.output },
    );
    expect(visits).toHaveLength(COUNT);
    expect(new Set(visits.map(({ visit }) => visit.request_path)).size).toBe(COUNT);
    // No response waits for the instance, whose time-out is 10 s.
    expect([[...statuses], slowest < 5_000]).toEqual([[200], true]);
    await site.dispose();
  },
  600_000,
);
