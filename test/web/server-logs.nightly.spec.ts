import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance, pause } from '../kit/instance.js';
import { BY_UDP, RECIPES, Sender, timesByPath, untilSteady } from './server-recipes.js';

const REQUESTS = 10_000;
const HEADERS = { 'user-agent': 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)' };
/** Long enough to detect a listener that gives up too early. */
const OUTAGE_MS = 3_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-logs-'));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each(RECIPES)(
  '%s: neither loses nor duplicates visits when the instance is killed in between',
  async (name) => {
    let instance = await Instance.start({ env: CREDENTIALS_ENV });
    const client = new Client({ url: instance.url, ...CREDENTIALS });
    const env = {
      PATH: process.env['PATH'] ?? '',
      AGENT_TRAFFIC_URL: instance.url,
      AGENT_TRAFFIC_TOKEN: CREDENTIALS.accessToken,
    };
    const sender = await Sender.start(name, env, folder);
    const outage = async (): Promise<void> => {
      await pause(500);
      await instance.kill();
      await pause(OUTAGE_MS);
      instance = await instance.restart();
    };
    try {
      await sender.request(name, Array(REQUESTS / 2).keys(), HEADERS);
      const rest = Array.from({ length: REQUESTS / 2 }, (_, index) => REQUESTS / 2 + index);
      await Promise.all([outage(), sender.request(name, rest, HEADERS)]);
      await untilSteady(async () => (await client.visits()).length, REQUESTS);
    } finally {
      const ended = await sender.stop();
      const visits = (await client.visits()).map(({ visit }) => visit);
      await instance.dispose();
      const times = timesByPath(visits);
      expect([...times].filter(([, count]) => count > 1)).toEqual([]);
      if (BY_UDP.includes(name)) {
        // UDP may lose lines before the listener reads them, so only lines that it read are expected.
        const read = Number(/Visits sent +([\d,]+)/.exec(ended!.output)![1]!.replace(',', ''));
        expect(times.size).toBe(read);
        expect(read).toBeGreaterThan(REQUESTS / 2);
      } else expect(times.size).toBe(REQUESTS);
      if (ended !== null) expect(ended.output).toMatch(/Not acknowledged +0\n/);
    }
  },
  300_000,
);
