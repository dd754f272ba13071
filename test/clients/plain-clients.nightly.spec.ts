import { Pool } from 'undici';
import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance, pause, until } from '../kit/instance.js';
import { PLAIN_SITES } from './plain-sites.js';

const COUNT = 10_000;
/** Requests sent before the instance stops. */
const BEFORE = 2_000;
const AWAY_MS = 20_000;
/** Requests per second during the outage, so that most of the requests fall into it. */
const PER_SECOND = 300;

let instance: Instance;
let client: Client;

beforeAll(async () => {
  instance = await Instance.start({ env: { ...CREDENTIALS_ENV, LOG_LEVEL: 'fatal' } });
  client = new Client({ url: instance.url, ...CREDENTIALS });
});
afterAll(() => instance.dispose());

it.each(['gunicorn', 'uvicorn', 'PHP-FPM'] as const)(
  `on %s, records ${COUNT} requests once each if the instance is down for ${AWAY_MS / 1_000} s`,
  async (name) => {
    const site = await PLAIN_SITES[name]({ url: instance.url, accessToken: CREDENTIALS.accessToken });
    // Gunicorn closes idle connections after 2 s. The pool closes them first, so no request fails.
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
    // Responses don't wait for the instance, which has a timeout of 10 s.
    expect([[...statuses], slowest < 5_000]).toEqual([[200], true]);
    await site.dispose();
  },
  600_000,
);
