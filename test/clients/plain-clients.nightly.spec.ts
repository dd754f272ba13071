import { Pool } from 'undici';
import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance, pause, until } from '../kit/instance.js';
import { PLAIN_SITES } from './plain-sites.js';

const COUNT = 10_000;
/** Requests sent before the instance stops. */
const REQUESTS_BEFORE_STOP = 2_000;
const OUTAGE_MS = 20_000;
/** Requests per second during the outage. At this rate, most requests are sent during it. */
const PER_SECOND = 300;

let instance: Instance;
let client: Client;

beforeAll(async () => {
  instance = await Instance.start({ env: { ...CREDENTIALS_ENV, LOG_LEVEL: 'fatal' } });
  client = new Client({ url: instance.url, ...CREDENTIALS });
});
afterAll(() => instance.dispose());

it.each(['gunicorn', 'uvicorn', 'PHP-FPM'] as const)(
  `records ${COUNT} requests on %s exactly once if the instance is down for ${OUTAGE_MS / 1_000} s`,
  async (name) => {
    const site = await PLAIN_SITES[name]({ url: instance.url, accessToken: CREDENTIALS.accessToken });
    // Gunicorn closes idle connections after 2 s. Close them earlier, so that no request is sent on a closed
    // connection.
    const pool = new Pool(site.url, { connections: 16, keepAliveTimeout: 500 });
    let next = 0;
    let slowest = 0;
    const statuses = new Set<number>();
    const requestUntil = async (isEnough: () => boolean, perSecond?: number): Promise<void> => {
      const sendRequests = async (): Promise<void> => {
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
      await Promise.all(Array.from({ length: 16 }, sendRequests));
    };

    await requestUntil(() => next >= REQUESTS_BEFORE_STOP);
    await instance.stop();
    const outageEnd = Date.now() + OUTAGE_MS;
    await requestUntil(() => Date.now() >= outageEnd, PER_SECOND);
    expect(next).toBeGreaterThan(REQUESTS_BEFORE_STOP + 2_000);
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
      { condition: 'all visits are recorded', timeoutMs: 60_000, explain: () => site.output },
    );
    expect(visits).toHaveLength(COUNT);
    expect(new Set(visits.map(({ visit }) => visit.request_path)).size).toBe(COUNT);
    // Responses must not wait for requests to the instance, which time out after 10 s.
    expect([[...statuses], slowest < 5_000]).toEqual([[200], true]);
    await site.dispose();
  },
  600_000,
);
