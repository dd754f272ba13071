import { Client, CREDENTIALS, CREDENTIALS_ENV, visit } from '../kit/client.js';
import { Instance, until } from '../kit/instance.js';
import { INSPECTED, retainedMemory } from '../kit/retained-memory.js';
import { StreamReader } from '../kit/stream.js';
import { systemUnderTest } from './target.js';

const numbered = (from: number, count: number, extra: object = {}) =>
  Array.from({ length: count }, (_, index) => visit(`/stream/${from + index}`, extra));

describe('the stream', () => {
  let client: Client;
  let projectId: string;

  beforeAll(async () => {
    client = await systemUnderTest('Stream');
    projectId = await client.projectId();
  });

  it('delivers a new visit', async () => {
    const reader = await StreamReader.open(client, projectId);
    await client.post('/visits', visit('/stream/live'));
    await until(() => reader.paths.length > 0, { what: 'a visit arrives' });
    reader.close();
    expect(reader.paths).toEqual(['/stream/live']);
  });

  it('resumes without gaps or duplicates after repeated disconnects', async () => {
    const seen: string[] = [];
    let lastEventId: string | null = null;
    const first = await StreamReader.open(client, projectId);
    await client.post('/visits', numbered(0, 1));
    await until(() => first.visits.length === 1, { what: 'the first visit arrives' });
    seen.push(...first.paths);
    ({ lastEventId } = first);
    first.close();

    const total = 2_000;
    const posting = (async () => {
      for (let from = 1; from < total; from += 50) {
        await client.post('/visits', numbered(from, Math.min(50, total - from)));
      }
    })();
    while (seen.length < total) {
      const reader = await StreamReader.open(client, projectId, { lastEventId });
      const enough = Math.min(total - seen.length, 300);
      await until(() => reader.visits.length >= enough, { what: `${enough} more visits arrive` });
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
    instance = await Instance.start({ env: { ...CREDENTIALS_ENV, ...INSPECTED } });
    client = new Client({ url: instance.url, ...CREDENTIALS });
    projectId = await client.projectId();
  });
  afterAll(() => instance.dispose());

  it('resumes the stream from the last event ID after a restart', async () => {
    const reader = await StreamReader.open(client, projectId);
    await client.post('/visits', numbered(0, 10));
    await until(() => reader.visits.length === 10, { what: 'ten visits arrive' });
    await instance.kill();
    instance = await instance.restart();
    await client.post('/visits', numbered(10, 10));
    const resumed = await StreamReader.open(client, projectId, { lastEventId: reader.lastEventId });
    await until(() => resumed.visits.length >= 10, { what: 'the others arrive' });
    expect(resumed.paths).toEqual(numbered(10, 10).map((item) => item.request_path));
    resumed.close();
  });

  it('serves 50 viewers, some of whom never read, within bounded memory', async () => {
    const readers = await Promise.all(Array.from({ length: 30 }, () => StreamReader.open(client, projectId)));
    const sleepers = await Promise.all(
      Array.from({ length: 20 }, () => StreamReader.open(client, projectId, { reading: false })),
    );
    const rounds = 100;
    // 10 MB per viewer: buffering for the 20 sleepers would use 200 MB.
    const note = 'x'.repeat(2_000);
    await client.post('/visits', numbered(0, 50, { note }));
    const before = await retainedMemory(instance);
    for (let round = 1; round < rounds; round += 1) {
      expect((await client.post('/visits', numbered(round * 50, 50, { note }))).status).toBe(204);
    }
    await until(() => readers.every(({ documents }) => documents.length === rounds * 50), {
      what: 'all readers have all visits',
      explain: () => readers.map(({ documents }) => documents.length).join(' '),
    });
    expect((await retainedMemory(instance)) - before).toBeLessThan(50);
    // The kernel buffers some megabytes for an idle reader. The instance disconnects it once the buffer is full.
    for (const sleeper of sleepers) sleeper.wake();
    await until(() => sleepers.every((sleeper) => sleeper.hasEnded), {
      what: 'those that never read were let go',
      explain: () => sleepers.map(({ hasEnded, documents }) => `${hasEnded} ${documents.length}`).join(', '),
    });
    expect(sleepers.every(({ documents }) => documents.length < rounds * 50)).toBe(true);
    expect(readers.some(({ hasEnded }) => hasEnded)).toBe(false);
    for (const reader of [...readers, ...sleepers]) reader.close();
  }, 120_000);
});
