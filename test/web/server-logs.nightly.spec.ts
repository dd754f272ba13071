import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance, pause } from '../kit/instance.js';
import { UDP_RECIPES, RECIPES, LoggingServer, countByPath, waitUntilSteady } from './server-recipes.js';

const REQUESTS = 10_000;
const HEADERS = { 'user-agent': 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)' };
/** Duration of the outage. Long enough to detect a listener that gives up too early. */
const OUTAGE_MS = 3_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-logs-'));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each(RECIPES)(
  '%s neither loses nor duplicates visits if the instance is killed',
  async (name) => {
    let instance = await Instance.start({ env: CREDENTIALS_ENV });
    const client = new Client({ url: instance.url, ...CREDENTIALS });
    const env = {
      PATH: process.env['PATH'] ?? '',
      AGENT_TRAFFIC_URL: instance.url,
      AGENT_TRAFFIC_TOKEN: CREDENTIALS.accessToken,
    };
    const sender = await LoggingServer.start(name, env, folder);
    const causeOutage = async (): Promise<void> => {
      await pause(500);
      await instance.kill();
      await pause(OUTAGE_MS);
      instance = await instance.restart();
    };
    try {
      await sender.sendRequests(name, Array(REQUESTS / 2).keys(), HEADERS);
      const remainingNumbers = Array.from({ length: REQUESTS / 2 }, (_, index) => REQUESTS / 2 + index);
      await Promise.all([causeOutage(), sender.sendRequests(name, remainingNumbers, HEADERS)]);
      await waitUntilSteady(async () => (await client.visits()).length, REQUESTS);
    } finally {
      const listenerResult = await sender.stop();
      const visits = (await client.visits()).map(({ visit }) => visit);
      await instance.dispose();
      const countsByPath = countByPath(visits);
      expect([...countsByPath].filter(([, count]) => count > 1)).toEqual([]);
      if (UDP_RECIPES.includes(name)) {
        // UDP can lose lines before the listener reads them, so only expect the lines that it has read.
        const linesRead = Number(/Visits sent +([\d,]+)/.exec(listenerResult!.output)![1]!.replace(',', ''));
        expect(countsByPath.size).toBe(linesRead);
        expect(linesRead).toBeGreaterThan(REQUESTS / 2);
      } else expect(countsByPath.size).toBe(REQUESTS);
      if (listenerResult !== null) expect(listenerResult.output).toMatch(/Not acknowledged +0\n/);
    }
  },
  300_000,
);
