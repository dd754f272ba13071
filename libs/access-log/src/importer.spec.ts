import { setImmediate } from 'node:timers/promises';
import { until } from '../../../test/kit/instance.js';
import { chunkLines, type LogEvent, type Run } from './chunker.js';
import { LogImporter } from './importer.js';
import type { Post } from './run-sender.js';
import { ImportSummary } from './summary.js';
import type { SendOutcome } from './visit-sender.js';

/** Approximate number of lines in a chunk. */
const CHUNK_LINES = 1_024;
const ACCEPTED = { kind: 'accepted', rejected: 0, repeated: 0 } as const;

/** Fake instance that records each imported line once, identified by its content and repeat count. */
class FakeService {
  readonly recorded: string[] = [];
  requests = 0;
  private readonly ids = new Set<string>();

  post: Post = async (body, headers) => {
    this.requests += 1;
    await setImmediate();
    const repeats = new Map(
      headers['agent-traffic-import']!.split(' ')
        .slice(1)
        .map((entry) => entry.split(':').map(Number) as [number, number]),
    );
    let repeated = 0;
    for (const [index, visit] of (JSON.parse(body) as { request_path: string }[]).entries()) {
      const id = `${repeats.get(index) ?? 0} ${JSON.stringify(visit)}`;
      if (this.ids.has(id)) repeated += 1;
      else this.recorded.push(visit.request_path);
      this.ids.add(id);
    }
    return { ...ACCEPTED, repeated };
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
  post: Post,
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

it("sends one chunk per request and doesn't record any line twice if an import is repeated", async () => {
  const service = new FakeService();
  const lines = log(3 * CHUNK_LINES);
  const summary = await importLog(lines, service.post);
  expect(byNumber(service.recorded)).toEqual(paths(lines.length));
  const { requests } = service;
  expect(requests).toBeLessThanOrEqual(6);
  expect(summary.sent + summary.unreadable).toBe(lines.length);
  expect(summary.unreadableLines[0]).toMatchObject({ name: 'access.log', number: 4 });
  const again = await importLog(lines, service.post);
  expect(service.requests).toBe(2 * requests);
  expect([again.sent, again.repeated]).toEqual([0, summary.sent]);
  expect(service.recorded).toHaveLength(summary.sent);
});

it('records every one of several identical lines, no matter how far apart they are', async () => {
  const service = new FakeService();
  const lines = [...log(5_000), ...log(40), ...log(20)];
  await importLog(lines, service.post);
  await importLog(lines, service.post);
  await importLog(lines.toReversed(), service.post);
  expect(byNumber(service.recorded)).toEqual(byNumber([...paths(5_000), ...paths(40), ...paths(20)]));
});

it("doesn't record lines twice, no matter where earlier imports stopped", async () => {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 40; round += 1) {
    const service = new FakeService();
    let length = 0;
    for (let step = 0; step < 5; step += 1) {
      length += 1 + random(step === 4 ? 2 * CHUNK_LINES : 60);
      const pauses = random(2) ? Array.from({ length: random(20) }, () => random(length)) : [];
      // An import that follows a growing log can pause anywhere. A later import of the complete log must still
      // recognize the same lines.
      await importLog(log(length), service.post, { pauses: step === 0 ? pauses : [], unfinished: random(2) === 0 });
      expect(byNumber(service.recorded)).toEqual(paths(length));
    }
  }
});

it("doesn't mistake an unfinished line for the complete line", async () => {
  const service = new FakeService();
  const whole = log(8).map((text) => `${text} "-" "Bot/1.0 (+https://example.com/)"`);
  const half = [...whole.slice(0, 6), whole[6]!.slice(0, -10)];
  await importLog(half, service.post, { unfinished: true });
  expect(byNumber(service.recorded)).toEqual(paths(6));
  await importLog(whole, service.post);
  expect(byNumber(service.recorded)).toEqual(paths(8));
});

it('sends changed lines only once', async () => {
  const service = new FakeService();
  await importLog(log(CHUNK_LINES), service.post);
  const changed = log(CHUNK_LINES).with(100, line(100, '-changed'));
  await importLog(changed, service.post);
  expect(service.recorded).toContain('/100-changed');
  const after = service.recorded.length;
  const summary = await importLog(changed, service.post);
  expect([summary.sent, summary.repeated]).toEqual([0, paths(CHUNK_LINES).length]);
  expect(after).toBe(paths(CHUNK_LINES).length + 1);
  await importLog([...changed, line(CHUNK_LINES)], service.post);
  expect(service.recorded).toHaveLength(after + 1);
});

it("splits a batch that is too large and continues after a visit that can't be sent", async () => {
  const service = new FakeService();
  const post: Post = async (body, headers) =>
    body.length > 2_000 || body.includes('"/9"') ? { kind: 'too-large', reason: '413' } : service.post(body, headers);
  const summary = await importLog(log(100), post);
  expect(byNumber(service.recorded)).toEqual(paths(100).filter((path) => path !== '/9'));
  expect(summary.rejected).toBe(1);
  expect(summary.rejections).toEqual([
    { visits: 1, reason: '413', lines: { name: 'access.log', first: 10, last: 10 } },
  ]);
  expect(summary.complete).toBe(false);
});

it('counts rejected visits and continues', async () => {
  const post = async (body: string): Promise<SendOutcome> =>
    body.includes('"/0"') ? { kind: 'refused', reason: '422: bad' } : { ...ACCEPTED, rejected: 2 };
  const summary = await importLog(log(100), post, { pauses: [50, 80] });
  expect(summary.rejected).toBe(paths(50).length + 4);
  expect(summary.sent).toBe(paths(100).length - summary.rejected);
});

it('limits the requests in flight and stops at the first failure', async () => {
  let inFlight = 0;
  let maxInFlight = 0;
  let requests = 0;
  const post = async (): Promise<SendOutcome> => {
    requests += 1;
    maxInFlight = Math.max(maxInFlight, (inFlight += 1));
    await setImmediate();
    inFlight -= 1;
    if (requests > 8) throw new Error('gone');
    return ACCEPTED;
  };
  await expect(importLog(log(50 * CHUNK_LINES), post)).rejects.toThrow('gone');
  expect(maxInFlight).toBe(4);
  expect(requests).toBeLessThan(14);
  expect(inFlight).toBe(0);
});

it('counts lines as done when the response arrives rather than when they are read', async () => {
  const responses: (() => void)[] = [];
  const post = (): Promise<SendOutcome> => new Promise((resolve) => responses.push(() => resolve(ACCEPTED)));
  async function* runs(): AsyncGenerator<Run> {
    const lines = log(6 * CHUNK_LINES);
    for (let start = 0; start < lines.length; start += CHUNK_LINES)
      yield { start, lines: lines.slice(start, start + CHUNK_LINES), bytes: 100 + start };
  }
  const summary = new ImportSummary();
  const { signal } = new AbortController();
  const importing = new LogImporter({ format: null, concurrency: 4, post, summary, signal }).import('a.log', runs());
  await until(() => responses.length === 4, { condition: 'four requests are in flight' });
  expect(summary.read).toBeGreaterThanOrEqual(4 * CHUNK_LINES);
  expect(summary.done).toEqual({ lines: 0, bytes: 0 });
  responses[2]!();
  await until(() => responses.length === 5, { condition: 'the fifth request is sent' });
  expect(summary.done).toEqual({ lines: CHUNK_LINES, bytes: 100 + 2 * CHUNK_LINES });
  await until(
    () => {
      for (const respond of responses) respond();
      return responses.length === 6;
    },
    { condition: 'the last request is sent' },
  );
  responses[5]!();
  await importing;
  expect(summary.done).toEqual({ lines: 6 * CHUNK_LINES, bytes: 600 + 15 * CHUNK_LINES });
});

it('counts lines in a dry run without sending them', async () => {
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

it('completes in-flight requests when the import is interrupted', async () => {
  const service = new FakeService();
  const controller = new AbortController();
  const post: Post = async (body, headers) => {
    if (service.requests === 3) controller.abort();
    return service.post(body, headers);
  };
  const summary = await importLog(log(20 * CHUNK_LINES), post, { signal: controller.signal });
  expect(service.recorded).toHaveLength(summary.sent);
  expect(summary.sent).toBeLessThan(8 * CHUNK_LINES);
});

it("doesn't record lines twice after an import was killed with several requests in flight", async () => {
  let seed = 11;
  let maxInFlightAtKill = 0;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 12; round += 1) {
    const service = new FakeService();
    let length = 0;
    for (let start = 0; start < 4; start += 1) {
      length += 1 + random(3 * CHUNK_LINES);
      let [requests, activeRequests] = [0, 0];
      const killAt = 1 + random(5);
      const killed = Promise.withResolvers<void>();
      const post: Post = async (body, headers) => {
        activeRequests += 1;
        if ((requests += 1) === killAt) {
          maxInFlightAtKill = Math.max(maxInFlightAtKill, activeRequests);
          killed.resolve();
        }
        // After the sender is killed, the service may still record some in-flight requests, in any order. The others
        // are lost.
        for (let turns = random(12); turns > 0; turns -= 1) await setImmediate();
        if (requests >= killAt && random(2) === 0) return new Promise(() => {});
        const outcome = await service.post(body, headers);
        for (let turns = random(12); turns > 0; turns -= 1) await setImmediate();
        activeRequests -= 1;
        return requests >= killAt ? new Promise(() => {}) : outcome;
      };
      const pauses = start === 0 ? Array.from({ length: random(20) }, () => random(length)) : [];
      await Promise.race([importLog(log(length), post, { pauses, unfinished: random(2) === 0 }), killed.promise]);
    }
    await importLog(log(length), service.post);
    expect(byNumber(service.recorded)).toEqual(paths(length));
  }
  expect(maxInFlightAtKill).toBe(4);
});

it('skips lines older than --since and records them in a later import without --since', async () => {
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
  expect([...since.leftOut]).toEqual([['older than --since', 1_500]]);
  expect(since.sent).toBe(1_500);
  const all = await importSince(undefined);
  expect([all.sent, all.repeated]).toEqual([1_500, 1_500]);
  expect(new Set(service.recorded).size).toBe(service.recorded.length);
});
