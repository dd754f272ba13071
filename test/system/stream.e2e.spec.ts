import { Client, CREDENTIALS, CREDENTIALS_ENV, visit } from '../kit/client.js';
import { Instance, until } from '../kit/instance.js';
import { INSPECTOR_ENV, measureRetainedMib } from '../kit/retained-memory.js';
import { StreamReader } from '../kit/stream.js';
import { createTestClient } from './target.js';

const createNumberedVisits = (from: number, count: number, extra: object = {}) =>
  Array.from({ length: count }, (_, index) => visit(`/stream/${from + index}`, extra));

describe('the stream', () => {
  let client: Client;
  let projectId: string;

  beforeAll(async () => {
    client = await createTestClient('Stream');
    projectId = await client.projectId();
  });

  it('delivers a new visit to a stream', async () => {
    const reader = await StreamReader.open(client, projectId);
    await client.post('/visits', visit('/stream/live'));
    await until(() => reader.paths.length > 0, { condition: 'a visit arrives' });
    reader.close();
    expect(reader.paths).toEqual(['/stream/live']);
  });

  it('resumes without gaps or duplicates after repeated disconnects', async () => {
    const seen: string[] = [];
    let lastEventId: string | null = null;
    const first = await StreamReader.open(client, projectId);
    await client.post('/visits', createNumberedVisits(0, 1));
    await until(() => first.visits.length === 1, { condition: 'the first visit arrives' });
    seen.push(...first.paths);
    ({ lastEventId } = first);
    first.close();

    const total = 2_000;
    const posting = (async () => {
      for (let from = 1; from < total; from += 50) {
        await client.post('/visits', createNumberedVisits(from, Math.min(50, total - from)));
      }
    })();
    while (seen.length < total) {
      const reader = await StreamReader.open(client, projectId, { lastEventId });
      const wantedCount = Math.min(total - seen.length, 300);
      await until(() => reader.visits.length >= wantedCount, { condition: `${wantedCount} more visits arrive` });
      reader.close();
      seen.push(...reader.paths);
      ({ lastEventId } = reader);
    }
    await posting;
    expect(seen).toHaveLength(total);
    expect(new Set(seen).size).toBe(total);
  });
});

describe('an instance', () => {
  let instance: Instance;
  let client: Client;
  let projectId: string;

  beforeAll(async () => {
    instance = await Instance.start({ env: { ...CREDENTIALS_ENV, ...INSPECTOR_ENV } });
    client = new Client({ url: instance.url, ...CREDENTIALS });
    projectId = await client.projectId();
  });
  afterAll(() => instance.dispose());

  it('resumes the stream from the last event ID after a restart', async () => {
    const reader = await StreamReader.open(client, projectId);
    await client.post('/visits', createNumberedVisits(0, 10));
    await until(() => reader.visits.length === 10, { condition: 'ten visits arrive' });
    await instance.kill();
    instance = await instance.restart();
    await client.post('/visits', createNumberedVisits(10, 10));
    const resumed = await StreamReader.open(client, projectId, { lastEventId: reader.lastEventId });
    await until(() => resumed.visits.length >= 10, { condition: 'ten more visits arrive' });
    expect(resumed.paths).toEqual(createNumberedVisits(10, 10).map((item) => item.request_path));
    resumed.close();
  });

  it('serves 50 viewers with bounded memory, even if some never read', async () => {
    const readers = await Promise.all(Array.from({ length: 30 }, () => StreamReader.open(client, projectId)));
    const sleepers = await Promise.all(
      Array.from({ length: 20 }, () => StreamReader.open(client, projectId, { reading: false })),
    );
    const rounds = 100;
    // Each viewer is sent 10 MB, so buffering for the 20 sleepers would use 200 MB.
    const note = 'x'.repeat(2_000);
    await client.post('/visits', createNumberedVisits(0, 50, { note }));
    const before = await measureRetainedMib(instance);
    for (let round = 1; round < rounds; round += 1) {
      expect((await client.post('/visits', createNumberedVisits(round * 50, 50, { note }))).status).toBe(204);
    }
    await until(() => readers.every(({ documents }) => documents.length === rounds * 50), {
      condition: 'all readers receive all visits',
      explain: () => readers.map(({ documents }) => documents.length).join(' '),
    });
    expect((await measureRetainedMib(instance)) - before).toBeLessThan(50);
    // The kernel buffers a few megabytes for each sleeping reader. Once that buffer is full, the instance disconnects
    // the reader.
    for (const sleeper of sleepers) sleeper.startReading();
    await until(() => sleepers.every((sleeper) => sleeper.hasEnded), {
      condition: 'the sleepers are disconnected',
      explain: () => sleepers.map(({ hasEnded, documents }) => `${hasEnded} ${documents.length}`).join(', '),
    });
    expect(sleepers.every(({ documents }) => documents.length < rounds * 50)).toBe(true);
    expect(readers.some(({ hasEnded }) => hasEnded)).toBe(false);
    for (const reader of [...readers, ...sleepers]) reader.close();
  }, 120_000);
});
