import { gzipSync } from 'node:zlib';
import type { DrainMapping } from '#libs/contracts';
import { Client, CREDENTIALS, CREDENTIALS_ENV, GOOGLEBOT } from '../kit/client.js';
import { isFullRun } from '../kit/faults.js';
import { Instance, pause, until } from '../kit/instance.js';
import { Load, countStored } from '../kit/load.js';

const [LINES, BATCH, KILLS] = isFullRun ? [10_000, 250, 6] : [200, 20, 1];

const MAPPING: DrainMapping = { time: 'ts', client: 'ip', path: 'uri', user_agent: 'ua', id: 'ray' };
const line = (number: number): string =>
  JSON.stringify({
    ts: Date.now() / 1_000,
    ip: '203.0.113.7',
    uri: Load.toPath(number),
    ua: GOOGLEBOT,
    ray: `ray-${number}`,
  });

it(`stores each of ${LINES} lines exactly once, despite repeated batches and kills`, async () => {
  let instance = await Instance.start({ env: CREDENTIALS_ENV });
  const client = new Client({ url: instance.url, ...CREDENTIALS });
  const settings = `/projects/${await client.projectId()}/drain-settings`;
  await client.api(settings, { method: 'PATCH', body: { mapping: MAPPING } });
  const sent: string[][] = [];
  const acknowledged = new Set<number>();
  let at = 0;
  let acknowledgedBatches = 0;
  const end = new AbortController();
  /** Simulates a sender that repeats all unacknowledged and some acknowledged batches. */
  const send = async (): Promise<void> => {
    while (!end.signal.aborted && at < LINES) {
      const first = at;
      at += BATCH;
      const numbers = Array.from({ length: BATCH }, (_, index) => first + index);
      const lines = numbers.map(line);
      // Every third time, also send lines from an earlier batch again.
      const again = sent.length > 2 && first % (3 * BATCH) === 0 ? sent[sent.length >> 1]!.slice(0, BATCH / 2) : [];
      sent.push(lines);
      const body = gzipSync([...again, ...lines].join('\n'));
      for (let times = first % (2 * BATCH) === 0 ? 2 : 1; times > 0 && !end.signal.aborted;) {
        const status = await client.post('/drains/json', body).then(
          async (response) => (await response.arrayBuffer(), response.status),
          () => 0,
        );
        if (status === 200) {
          times -= 1;
          acknowledgedBatches += 1;
          for (const number of numbers) acknowledged.add(number);
        } else {
          await pause(50);
        }
      }
    }
  };
  try {
    const senders = [send(), send(), send()];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = acknowledgedBatches;
      await until(() => acknowledgedBatches > before + 1 || acknowledged.size === LINES, {
        condition: 'batches are acknowledged',
      });
      await pause(Math.random() * 100);
      await instance.kill();
      instance = await instance.restart();
    }
    await Promise.all(senders);
    const times = countStored(await client.visits());
    const lost = [...acknowledged].filter((number) => !times.has(number));
    const doubled = [...times].filter(([, count]) => count > 1);
    expect([acknowledged.size, times.size, lost, doubled]).toEqual([LINES, LINES, [], []]);
  } finally {
    end.abort();
    await instance.dispose();
  }
}, 300_000);
