import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { settingsOf, type AgentTrafficOptions } from './options.js';
import { VisitReporter } from './visit-reporter.js';

interface Received {
  headers: IncomingHttpHeaders;
  visits: number[];
}

/** Responses of the instance, in order. Default: 204. */
let answers: ((response: ServerResponse, visits: number[]) => void)[];
let received: Received[];
let problems: string[];
let server: Server;

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(code, headers).end();

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const visits = JSON.parse(gunzipSync(await buffer(request)).toString()) as number[];
    received.push({ headers: request.headers, visits });
    (answers.shift() ?? status(204))(response, visits);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  answers = [];
  received = [];
  problems = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Creates a reporter with a flush interval that is longer than any test. */
function reporter(options: AgentTrafficOptions = {}): VisitReporter {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const onProblem = (problem: string) => problems.push(problem);
  return new VisitReporter(settingsOf({ url, token: 'agt_1', flushIntervalMs: 600_000, onProblem, ...options }));
}

/** Adds visits that are numbers, which are valid JSON and easy to compare. */
function add(to: VisitReporter, count: number, from = 0): void {
  for (let index = 0; index < count; index += 1) to.add(String(from + index));
}

async function until(predicate: () => boolean): Promise<void> {
  while (!predicate()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const numbers = (count: number, from = 0): number[] => Array.from({ length: count }, (_, index) => from + index);
const sizes = (): number[] => received.map(({ visits }) => visits.length);

describe('sending visits', () => {
  it('sends a compressed batch of 50 visits with the token and an idempotency key', async () => {
    const visits = reporter();
    add(visits, 49);
    expect(visits.counts.queued).toBe(49);
    add(visits, 1, 49);
    await until(() => visits.counts.sent === 50);
    expect(received).toEqual([
      {
        visits: numbers(50),
        headers: expect.objectContaining({
          authorization: 'Bearer agt_1',
          'content-type': 'application/json',
          'content-encoding': 'gzip',
          'idempotency-key': expect.stringMatching(/^[\da-f-]{36}$/),
        }),
      },
    ]);
    expect(visits.isIdle).toBe(true);
  });

  it('sends a few visits after the interval', async () => {
    const visits = reporter({ flushIntervalMs: 1 });
    add(visits, 3);
    await until(() => visits.counts.sent === 3);
    expect(sizes()).toEqual([3]);
  });

  it('sends one request at a time and queues the remaining visits', async () => {
    const visits = reporter();
    add(visits, 310);
    await until(() => visits.counts.sent === 300);
    expect(sizes()).toEqual([50, 250]);
    expect(visits.counts).toEqual({ sent: 300, rejected: 0, dropped: 0, queued: 10 });
    await visits.flush();
    expect(visits.counts).toMatchObject({ sent: 310, queued: 0 });
  });

  it('sends a visit immediately in its own request with sendAlone', async () => {
    const visits = reporter();
    add(visits, 2);
    await visits.sendAlone('7');
    expect(received.map((each) => each.visits)).toEqual([[7]]);
  });

  it('waits for pending visits on flush', async () => {
    const visits = reporter();
    const read = Promise.withResolvers<string>();
    visits.addLater(read.promise);
    visits.addLater(Promise.resolve(null));
    visits.addLater(Promise.reject(new Error('unreadable')));
    expect(visits.isIdle).toBe(false);
    const flushed = visits.flush();
    read.resolve('1');
    await flushed;
    expect(visits.counts).toEqual({ sent: 1, rejected: 0, dropped: 1, queued: 0 });
  });
});

describe('unsent visits', () => {
  it.each([
    ['429', status(429, { 'retry-after': '0' })],
    ['503', status(503, { 'retry-after': new Date(0).toUTCString() })],
    ['500', status(500)],
    ['a connection that breaks', (response: ServerResponse) => void response.destroy()],
    ['silence', () => undefined],
  ])('are retried after %s with the same idempotency key', async (_, answer) => {
    answers = [answer];
    const visits = reporter({ timeoutMs: 300 });
    add(visits, 2);
    await visits.flush();
    expect(received.map((each) => each.visits)).toEqual([numbers(2), numbers(2)]);
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(visits.counts).toMatchObject({ sent: 2, dropped: 0 });
  });

  it('are retried after the requested delay', async () => {
    answers = [status(503, { 'retry-after': '60' })];
    const visits = reporter();
    add(visits, 1);
    const later = setTimeout;
    const waits: number[] = [];
    const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, milliseconds: number) => {
      if (milliseconds < 60_000) return later(run, milliseconds);
      waits.push(milliseconds);
      return later(run);
    }) as typeof setTimeout);
    await visits.flush().finally(() => timers.mockRestore());
    expect(waits).toHaveLength(1);
    // Up to 20 % jitter, so clients don't retry simultaneously.
    expect(waits[0]).toBeLessThanOrEqual(72_000);
    expect(visits.counts).toMatchObject({ sent: 1, dropped: 0 });
  });

  it('are sent in halves until they are small enough', async () => {
    const tooLarge = (response: ServerResponse, visits: number[]): void =>
      status(visits.includes(5) || visits.length > 4 ? 413 : 204)(response);
    answers = Array.from({ length: 20 }, () => tooLarge);
    const visits = reporter();
    add(visits, 8);
    await visits.flush();
    expect(received.map((each) => each.visits)).toEqual([
      numbers(8),
      numbers(4),
      numbers(4, 4),
      [4, 5],
      [4],
      [5],
      [6, 7],
    ]);
    expect(visits.counts).toMatchObject({ sent: 7, dropped: 1 });
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(7);
  });

  it('are dropped and reported if a retry is pointless', async () => {
    answers = [status(401)];
    const visits = reporter();
    add(visits, 2);
    await visits.flush();
    expect(visits.counts).toMatchObject({ sent: 0, dropped: 2 });
    expect(problems).toEqual(['2 visits were not reported: /visits was answered with 401: ']);
  });

  it('are counted if the instance rejects them', async () => {
    answers = [status(204, { 'x-visits-rejected': '1' })];
    const visits = reporter();
    add(visits, 3);
    await visits.flush();
    expect(visits.counts).toMatchObject({ sent: 3, rejected: 1, dropped: 0 });
  });

  it('are dropped oldest first when the queue is full', async () => {
    const visits = reporter({ flushAt: 1_000, maxQueuedVisits: 5 });
    add(visits, 8);
    expect(visits.counts).toMatchObject({ dropped: 3, queued: 5 });
    await visits.flush();
    expect(received.map((each) => each.visits)).toEqual([numbers(5, 3)]);
    expect(problems[0]).toBe('1 visit was not reported: too many visits wait for the instance');
  });

  it('are limited in characters, too', () => {
    const visits = reporter({ flushAt: 1_000, maxQueuedCharacters: 100 });
    add(visits, 60, 10);
    expect(visits.counts).toMatchObject({ dropped: 10, queued: 50 });
  });

  it('never cause an error, even if onProblem throws', async () => {
    answers = [status(400)];
    const onProblem = (): void => {
      throw new Error('of the site');
    };
    const visits = reporter({ onProblem });
    add(visits, 1);
    await expect(visits.flush()).resolves.toBeUndefined();
  });
});

describe('shutdown', () => {
  it('sends all visits, and later ones immediately', async () => {
    const visits = reporter();
    add(visits, 3);
    await visits.shutdown(1_000);
    expect(visits.counts).toMatchObject({ sent: 3, queued: 0 });
    add(visits, 1);
    await until(() => visits.counts.sent === 4);
  });

  it('ignores the Retry-After delay of an earlier failure', async () => {
    answers = ['0', '0', '200'].map((seconds) => status(503, { 'retry-after': seconds }));
    const visits = reporter();
    add(visits, 1);
    const flushed = visits.flush();
    // The third failure is reported before the reporter waits.
    await until(() => problems.length === 1);
    // Shorter than the delay of 200 s, and longer than any pause of the machine.
    await visits.shutdown(60_000);
    await flushed;
    expect(visits.counts).toMatchObject({ sent: 1 });
  });

  it('ignores the Retry-After delay of an in-flight request', async () => {
    let answer!: () => void;
    answers = [(response) => void (answer = () => status(503, { 'retry-after': '200' })(response))];
    const visits = reporter();
    add(visits, 1);
    void visits.flush();
    await until(() => received.length === 1);
    const ended = visits.shutdown(60_000);
    answer();
    await ended;
    expect(visits.counts).toMatchObject({ sent: 1 });
  });

  it('drops visits that are not sent in time and reports them once', async () => {
    answers = Array.from({ length: 100 }, () => status(503, { 'retry-after': '200' }));
    const visits = reporter();
    add(visits, 600);
    await visits.shutdown(50);
    expect(visits.counts).toMatchObject({ sent: 0, dropped: 600, queued: 0 });
    expect(problems).toEqual([
      expect.stringMatching(/^600 visits were not reported: .*the process ended after 50 ms$/),
    ]);
  });

  describe('while the instance is down', () => {
    beforeEach(() => {
      const later = setTimeout;
      jest
        .spyOn(globalThis, 'setTimeout')
        .mockImplementation(((run: () => void, milliseconds: number) =>
          later(run, milliseconds > 1_500 && milliseconds <= 2_500 ? 100 : milliseconds)) as typeof setTimeout);
    });
    afterEach(() => jest.restoreAllMocks());

    it.each<[string, AgentTrafficOptions, ((response: ServerResponse) => void)[]]>([
      ['refuses connections', { url: 'http://127.0.0.1:1' }, []],
      ['fails', {}, Array.from({ length: 100 }, () => status(502))],
      ['is silent', { timeoutMs: 100 }, Array.from({ length: 100 }, () => () => undefined)],
    ])('gives up soon if the instance %s', async (_, options, script) => {
      answers = script;
      const visits = reporter(options);
      add(visits, 300);
      const started = performance.now();
      await visits.shutdown(600_000);
      expect(performance.now() - started).toBeLessThan(60_000);
      expect(problems.at(-1)).toMatch(/^300 visits were not reported: .*while the instance was down$/);
      // A later shutdown step of the same process.
      add(visits, 1);
      await visits.shutdown(600_000);
      expect(visits.counts).toMatchObject({ sent: 0, dropped: 301, queued: 0 });
    });

    it('gives up soon if an instance that was down is silent', async () => {
      answers = [status(503), () => undefined];
      const visits = reporter();
      add(visits, 1);
      void visits.flush();
      await until(() => received.length === 2);
      const started = performance.now();
      await visits.shutdown(600_000);
      expect(performance.now() - started).toBeLessThan(60_000);
      expect(visits.counts).toMatchObject({ dropped: 1 });
    });
  });

  it('restores the full timeout once the instance recovers', async () => {
    answers = [status(503), status(204), status(429, { 'retry-after': '0' })];
    const visits = reporter();
    add(visits, 300);
    await visits.shutdown(60_000);
    expect(visits.counts).toMatchObject({ sent: 300, dropped: 0 });
    expect(problems).toEqual([]);
  });

  it('drops and reports visits that are never completed', async () => {
    const visits = reporter();
    visits.addLater(new Promise(() => undefined));
    await visits.shutdown(50);
    expect(visits.isIdle).toBe(true);
    expect(problems).toEqual([expect.stringMatching(/^1 visit was not reported/)]);
  });

  it('reports rejected visits', async () => {
    answers = [status(401)];
    const visits = reporter();
    add(visits, 2);
    await visits.shutdown(60_000);
    expect(problems).toEqual(['2 visits were not reported: /visits was answered with 401: ']);
  });
});
