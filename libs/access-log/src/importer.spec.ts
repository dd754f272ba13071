import { setImmediate as tick } from 'node:timers/promises';
import { until } from '../../../test/kit/instance.js';
import { CHUNK_LINES, chunkLines, type LogEvent, type Run } from './chunker.js';
import { LogImporter } from './importer.js';
import { ImportSummary } from './summary.js';
import type { SendOutcome } from './visit-sender.js';

const ACCEPTED = { kind: 'accepted', rejected: 0, isRepeat: false } as const;

/** What the service does with idempotency keys: a repeat records nothing, another body is refused. */
class FakeService {
  readonly recorded: string[] = [];
  requests = 0;
  readonly bodies = new Map<string, string>();

  post = async (body: string, key: string): Promise<SendOutcome> => {
    this.requests += 1;
    await tick();
    if (body === '[]') return ACCEPTED;
    const known = this.bodies.get(key);
    if (known !== undefined) return known === body ? { ...ACCEPTED, isRepeat: true } : { kind: 'key-taken' };
    this.bodies.set(key, body);
    this.recorded.push(...(JSON.parse(body) as { request_path: string }[]).map((visit) => visit.request_path));
    return ACCEPTED;
  };
}

const line = (number: number, note = ''): string =>
  number % 37 === 3 ? 'broken' : `192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /${number}${note} HTTP/1.1" 200 1`;
const log = (count: number): string[] => Array.from({ length: count }, (_, index) => line(index));
const paths = (count: number): string[] => log(count).flatMap((text) => /GET (\S+)/.exec(text)?.[1] ?? []);
const byNumber = (recorded: readonly string[]): string[] =>
  [...recorded].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));

async function* lineByLine(lines: readonly string[]): AsyncGenerator<LogEvent> {
  for (const text of lines) yield { kind: 'lines', lines: [text] };
}

async function importLog(
  lines: readonly string[],
  post: FakeService['post'],
  { pauses = [], unfinished = false, signal = new AbortController().signal } = {} as {
    pauses?: readonly number[];
    unfinished?: boolean;
    signal?: AbortSignal;
  },
): Promise<ImportSummary> {
  async function* events(): AsyncGenerator<LogEvent> {
    const finished = unfinished ? lines.slice(0, -1) : lines;
    for (const [index, text] of finished.entries()) {
      if (pauses.includes(index)) yield { kind: 'pause' };
      yield { kind: 'lines', lines: [text] };
    }
    if (unfinished) yield { kind: 'unfinished', line: lines.at(-1)! };
  }
  const summary = new ImportSummary();
  const importer = new LogImporter({ format: null, concurrency: 4, post, summary, signal });
  await importer.import('access.log', chunkLines(events()));
  return summary;
}

it('sends whole chunks in one request each, and a repeated import asks no more', async () => {
  const service = new FakeService();
  const lines = log(3 * CHUNK_LINES);
  const summary = await importLog(lines, service.post);
  expect(byNumber(service.recorded)).toEqual(paths(lines.length));
  expect(service.requests).toBe(3);
  expect(summary.sent + summary.unreadable).toBe(lines.length);
  expect(summary.unreadableLines[0]).toMatchObject({ name: 'access.log', number: 4 });
  await importLog(lines, service.post);
  expect(service.requests).toBe(6);
  expect(service.recorded).toHaveLength(summary.sent);
});

it('records nothing twice however often and wherever a log was cut before', async () => {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 40; round += 1) {
    const service = new FakeService();
    let length = 0;
    for (let step = 0; step < 5; step += 1) {
      length += 1 + random(step === 4 ? 2 * CHUNK_LINES : 60);
      const pauses = random(2) ? Array.from({ length: random(20) }, () => random(length)) : [];
      // A follower cuts where it likes, but never sends less than an earlier run whose lines it has.
      await importLog(log(length), service.post, { pauses: step === 0 ? pauses : [], unfinished: random(2) === 0 });
      expect(byNumber(service.recorded)).toEqual(paths(length));
    }
  }
});

it('finds its way through a log that was followed line by line', async () => {
  const service = new FakeService();
  const lines = log(CHUNK_LINES);
  await importLog(lines, service.post, { pauses: lines.keys().toArray() });
  const before = service.requests;
  await importLog(lines, service.post);
  expect(byNumber(service.recorded)).toEqual(paths(lines.length));
  expect(service.requests - before).toBeLessThan(3 * CHUNK_LINES);
});

it('keeps half a line from standing for the whole one', async () => {
  const service = new FakeService();
  const whole = log(8).map((text) => `${text} "-" "Bot/1.0 (+https://example.com/)"`);
  const half = [...whole.slice(0, 6), whole[6]!.slice(0, -10)];
  await importLog(half, service.post, { unfinished: true });
  expect(byNumber(service.recorded)).toEqual(paths(6));
  await importLog(whole, service.post);
  expect(byNumber(service.recorded)).toEqual(paths(8));
});

it('sends lines that were changed since, once', async () => {
  const service = new FakeService();
  await importLog(log(CHUNK_LINES), service.post);
  const changed = log(CHUNK_LINES).with(100, line(100, '-changed'));
  await importLog(changed, service.post);
  expect(service.recorded).toContain('/100-changed');
  const after = service.recorded.length;
  const summary = await importLog(changed, service.post);
  expect([summary.sent, summary.repeated]).toEqual([0, paths(CHUNK_LINES).length]);
  await importLog([...changed, line(CHUNK_LINES)], service.post);
  expect(service.recorded).toHaveLength(after + 1);
});

it('halves a batch that is too large, and continues after a visit that cannot be sent', async () => {
  const service = new FakeService();
  const post = async (body: string, key: string): Promise<SendOutcome> =>
    body.length > 2_000 || body.includes('"/9"') ? { kind: 'too-large', reason: '413' } : service.post(body, key);
  const summary = await importLog(log(100), post);
  expect(byNumber(service.recorded)).toEqual(paths(100).filter((path) => path !== '/9'));
  expect(summary.refused).toBe(1);
  expect(summary.refusals).toEqual([{ visits: 1, reason: '413', lines: { name: 'access.log', first: 10, last: 10 } }]);
  expect(summary.complete).toBe(false);
});

it('counts what is refused, and goes on', async () => {
  const post = async (body: string): Promise<SendOutcome> =>
    body.includes('"/0"') ? { kind: 'refused', reason: '422: bad' } : { ...ACCEPTED, rejected: 2 };
  const summary = await importLog(log(2 * CHUNK_LINES), post);
  expect(summary.refused).toBe(paths(CHUNK_LINES).length + 2);
  expect(summary.sent).toBe(paths(2 * CHUNK_LINES).length - summary.refused);
});

it('has no more in flight than it may, and stops at the first failure', async () => {
  let inFlight = 0;
  let most = 0;
  let requests = 0;
  const post = async (): Promise<SendOutcome> => {
    requests += 1;
    most = Math.max(most, (inFlight += 1));
    await tick();
    inFlight -= 1;
    if (requests > 8) throw new Error('gone');
    return ACCEPTED;
  };
  await expect(importLog(log(50 * CHUNK_LINES), post)).rejects.toThrow('gone');
  expect(most).toBe(4);
  expect(requests).toBeLessThan(14);
  expect(inFlight).toBe(0);
});

it('counts as done what was answered, not what was read', async () => {
  const answers: (() => void)[] = [];
  const post = (): Promise<SendOutcome> => new Promise((resolve) => answers.push(() => resolve(ACCEPTED)));
  async function* runs(): AsyncGenerator<Run> {
    for await (const run of chunkLines(lineByLine(log(6 * CHUNK_LINES)))) yield { ...run, bytes: 100 + run.start };
  }
  const summary = new ImportSummary();
  const { signal } = new AbortController();
  const importing = new LogImporter({ format: null, concurrency: 4, post, summary, signal }).import('a.log', runs());
  await until(() => answers.length === 4, { what: 'four requests are under way' });
  expect(summary.read).toBeGreaterThanOrEqual(4 * CHUNK_LINES);
  expect(summary.done).toEqual({ lines: 0, bytes: 0 });
  answers[2]!();
  await until(() => answers.length === 5, { what: 'the fifth request is made' });
  expect(summary.done).toEqual({ lines: CHUNK_LINES, bytes: 100 + 2 * CHUNK_LINES });
  await until(
    () => {
      for (const answer of answers) answer();
      return answers.length === 6;
    },
    { what: 'the last request is made' },
  );
  answers[5]!();
  await importing;
  expect(summary.done).toEqual({ lines: 6 * CHUNK_LINES, bytes: 600 + 15 * CHUNK_LINES });
});

it('counts what a dry run reads, and sends nothing', async () => {
  const summary = new ImportSummary();
  const { signal } = new AbortController();
  const importer = new LogImporter({ format: null, concurrency: 4, summary, signal });
  await importer.import('a.log', chunkLines(lineByLine(log(2_000))));
  expect([summary.readable, summary.sent, summary.done.lines]).toEqual([
    paths(2_000).length,
    paths(2_000).length,
    2_000,
  ]);
});

it('stops in order when it is interrupted', async () => {
  const service = new FakeService();
  const controller = new AbortController();
  const post = async (body: string, key: string): Promise<SendOutcome> => {
    if (service.requests === 3) controller.abort();
    return service.post(body, key);
  };
  const summary = await importLog(log(20 * CHUNK_LINES), post, { signal: controller.signal });
  expect(service.recorded).toHaveLength(summary.sent);
  expect(summary.sent).toBeLessThan(8 * CHUNK_LINES);
});

it('records nothing twice when it is killed with several requests under way and answers come in any order', async () => {
  let seed = 11;
  let killedWith = 0;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 12; round += 1) {
    const service = new FakeService();
    let length = 0;
    for (let start = 0; start < 4; start += 1) {
      length += 1 + random(3 * CHUNK_LINES);
      let [requests, underWay] = [0, 0];
      const killAt = 1 + random(5);
      const killed = Promise.withResolvers<void>();
      const post = async (body: string, key: string): Promise<SendOutcome> => {
        underWay += 1;
        if ((requests += 1) === killAt) {
          killedWith = Math.max(killedWith, underWay);
          killed.resolve();
        }
        // What the service received it records in any order, also when the one who sent it is gone; the rest is lost.
        for (let turns = random(12); turns > 0; turns -= 1) await tick();
        if (requests >= killAt && random(2) === 0) return new Promise(() => {});
        const outcome = await service.post(body, key);
        for (let turns = random(12); turns > 0; turns -= 1) await tick();
        underWay -= 1;
        return requests >= killAt ? new Promise(() => {}) : outcome;
      };
      const pauses = start === 0 ? Array.from({ length: random(20) }, () => random(length)) : [];
      await Promise.race([importLog(log(length), post, { pauses, unfinished: random(2) === 0 }), killed.promise]);
    }
    await importLog(log(length), service.post);
    expect(byNumber(service.recorded)).toEqual(paths(length));
  }
  expect(killedWith).toBe(4);
});

it('leaves out older lines by whole chunks, so that an import without --since records no line twice', async () => {
  const at = (number: number): string =>
    `192.0.2.1 - - [${number < 1_500 ? 16 : 17}/May/2015:10:05:03 +0000] "GET /${number} HTTP/1.1" 200 1`;
  const lines = Array.from({ length: 3_000 }, (_, number) => at(number));
  const service = new FakeService();
  const importSince = async (since: number | undefined): Promise<ImportSummary> => {
    const summary = new ImportSummary();
    const { signal } = new AbortController();
    const options = { format: null, concurrency: 4, post: service.post, summary, signal };
    const importer = new LogImporter(since === undefined ? options : { ...options, since });
    await importer.import('access.log', chunkLines(lineByLine(lines)));
    return summary;
  };
  const since = await importSince(Date.parse('2015-05-17T00:00:00Z'));
  expect([...since.leftOut]).toEqual([['older than --since', CHUNK_LINES]]);
  expect(since.sent).toBe(3_000 - CHUNK_LINES);
  const all = await importSince(undefined);
  expect([all.sent, all.repeated]).toEqual([CHUNK_LINES, 3_000 - CHUNK_LINES]);
  expect(new Set(service.recorded).size).toBe(service.recorded.length);
});
