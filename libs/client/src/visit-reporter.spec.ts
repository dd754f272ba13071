import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { resolveSettings, type AgentTrafficOptions } from './options.js';
import { VisitReporter } from './visit-reporter.js';

interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  visits: number[];
}

/** Server responses, in order. Once the list is empty, the server responds with 204. */
let responses: ((response: ServerResponse, visits: number[]) => void)[];
let received: ReceivedRequest[];
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
    (responses.shift() ?? status(204))(response, visits);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  responses = [];
  received = [];
  problems = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Creates a reporter whose flush interval is longer than any test. */
function reporter(options: AgentTrafficOptions = {}): VisitReporter {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const onProblem = (problem: string) => problems.push(problem);
  return new VisitReporter(resolveSettings({ url, token: 'agt_1', flushIntervalMs: 600_000, onProblem, ...options }));
}

/** Adds visits represented by numbers, which are valid JSON and easy to compare. */
function add(to: VisitReporter, count: number, from = 0): void {
  for (let index = 0; index < count; index += 1) to.add(String(from + index));
}

async function waitUntil(predicate: () => boolean): Promise<void> {
  while (!predicate()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const range = (count: number, from = 0): number[] => Array.from({ length: count }, (_, index) => from + index);
const receivedSizes = (): number[] => received.map(({ visits }) => visits.length);

describe('VisitReporter', () => {
  it('sends a compressed batch of 50 visits with the token and an idempotency key', async () => {
    const visits = reporter();
    add(visits, 49);
    expect(visits.counts.queued).toBe(49);
    add(visits, 1, 49);
    await waitUntil(() => visits.counts.sent === 50);
    expect(received).toEqual([
      {
        visits: range(50),
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

  it('sends a partial batch after the flush interval', async () => {
    const visits = reporter({ flushIntervalMs: 1 });
    add(visits, 3);
    await waitUntil(() => visits.counts.sent === 3);
    expect(receivedSizes()).toEqual([3]);
  });

  it('sends one request at a time and leaves the remaining visits queued', async () => {
    const visits = reporter();
    add(visits, 310);
    await waitUntil(() => visits.counts.sent === 300);
    expect(receivedSizes()).toEqual([50, 250]);
    expect(visits.counts).toEqual({ sent: 300, rejected: 0, dropped: 0, queued: 10 });
    await visits.flush();
    expect(visits.counts).toMatchObject({ sent: 310, queued: 0 });
  });

  it('sends a single visit immediately, separately from the queue', async () => {
    const visits = reporter();
    add(visits, 2);
    await visits.sendImmediately('7');
    expect(received.map((entry) => entry.visits)).toEqual([[7]]);
  });

  it('waits for unfinished visits before flushing', async () => {
    const visits = reporter();
    const bodyRead = Promise.withResolvers<string>();
    visits.addPending(bodyRead.promise);
    visits.addPending(Promise.resolve(null));
    visits.addPending(Promise.reject(new Error('unreadable')));
    expect(visits.isIdle).toBe(false);
    const flushed = visits.flush();
    bodyRead.resolve('1');
    await flushed;
    expect(visits.counts).toEqual({ sent: 1, rejected: 0, dropped: 1, queued: 0 });
  });
});

describe('unsent visits', () => {
  it.each([
    ['a 429 response', status(429, { 'retry-after': '0' })],
    ['a 503 response', status(503, { 'retry-after': new Date(0).toUTCString() })],
    ['a 500 response', status(500)],
    ['a dropped connection', (response: ServerResponse) => void response.destroy()],
    ['a timeout', () => undefined],
  ])('retries unsent visits after %s with the same idempotency key', async (_, respond) => {
    responses = [respond];
    const visits = reporter({ timeoutMs: 300 });
    add(visits, 2);
    await visits.flush();
    expect(received.map((entry) => entry.visits)).toEqual([range(2), range(2)]);
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(visits.counts).toMatchObject({ sent: 2, dropped: 0 });
  });

  it('retries unsent visits after the Retry-After delay', async () => {
    responses = [status(503, { 'retry-after': '60' })];
    const visits = reporter();
    add(visits, 1);
    const realSetTimeout = setTimeout;
    const delays: number[] = [];
    const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, milliseconds: number) => {
      if (milliseconds < 60_000) return realSetTimeout(run, milliseconds);
      delays.push(milliseconds);
      return realSetTimeout(run);
    }) as typeof setTimeout);
    await visits.flush().finally(() => timers.mockRestore());
    expect(delays).toHaveLength(1);
    // Retry delays include up to 20% jitter.
    expect(delays[0]).toBeLessThanOrEqual(72_000);
    expect(visits.counts).toMatchObject({ sent: 1, dropped: 0 });
  });

  it('splits unsent visits in half after a 413 response until they fit', async () => {
    const tooLarge = (response: ServerResponse, visits: number[]): void =>
      status(visits.includes(5) || visits.length > 4 ? 413 : 204)(response);
    responses = Array.from({ length: 20 }, () => tooLarge);
    const visits = reporter();
    add(visits, 8);
    await visits.flush();
    expect(received.map((entry) => entry.visits)).toEqual([range(8), range(4), range(4, 4), [4, 5], [4], [5], [6, 7]]);
    expect(visits.counts).toMatchObject({ sent: 7, dropped: 1 });
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(7);
  });

  it('drops and reports unsent visits after a permanent error', async () => {
    responses = [status(401)];
    const visits = reporter();
    add(visits, 2);
    await visits.flush();
    expect(visits.counts).toMatchObject({ sent: 0, dropped: 2 });
    expect(problems).toEqual(['2 visits were not reported: POST /visits returned 401: ']);
  });

  it('counts visits that the instance rejects', async () => {
    responses = [status(204, { 'x-visits-rejected': '1' })];
    const visits = reporter();
    add(visits, 3);
    await visits.flush();
    expect(visits.counts).toMatchObject({ sent: 3, rejected: 1, dropped: 0 });
  });

  it('drops the oldest visits first when the queue is full', async () => {
    const visits = reporter({ flushAt: 1_000, maxQueuedVisits: 5 });
    add(visits, 8);
    expect(visits.counts).toMatchObject({ dropped: 3, queued: 5 });
    await visits.flush();
    expect(received.map((entry) => entry.visits)).toEqual([range(5, 3)]);
    expect(problems[0]).toBe('1 visit was not reported: the queue is full');
  });

  it('drops visits if the queue exceeds the character limit', () => {
    const visits = reporter({ flushAt: 1_000, maxQueuedCharacters: 100 });
    add(visits, 60, 10);
    expect(visits.counts).toMatchObject({ dropped: 10, queued: 50 });
  });

  it('never causes an error in the site, even if onProblem throws', async () => {
    responses = [status(400)];
    const onProblem = (): void => {
      throw new Error('site error');
    };
    const visits = reporter({ onProblem });
    add(visits, 1);
    await expect(visits.flush()).resolves.toBeUndefined();
  });
});

describe('shutdown', () => {
  it('sends queued visits on shutdown, and sends later visits immediately', async () => {
    const visits = reporter();
    add(visits, 3);
    await visits.shutdown(1_000);
    expect(visits.counts).toMatchObject({ sent: 3, queued: 0 });
    add(visits, 1);
    await waitUntil(() => visits.counts.sent === 4);
  });

  it('ignores the Retry-After delay from an earlier failure during shutdown', async () => {
    responses = ['0', '0', '200'].map((seconds) => status(503, { 'retry-after': seconds }));
    const visits = reporter();
    add(visits, 1);
    const flushed = visits.flush();
    // The reporter reports the third failure before it starts waiting.
    await waitUntil(() => problems.length === 1);
    // This timeout is shorter than the 200-second delay, but long enough for a slow machine.
    await visits.shutdown(60_000);
    await flushed;
    expect(visits.counts).toMatchObject({ sent: 1 });
  });

  it('ignores the Retry-After delay from an in-flight request during shutdown', async () => {
    let respond!: () => void;
    responses = [(response) => void (respond = () => status(503, { 'retry-after': '200' })(response))];
    const visits = reporter();
    add(visits, 1);
    void visits.flush();
    await waitUntil(() => received.length === 1);
    const shutDown = visits.shutdown(60_000);
    respond();
    await shutDown;
    expect(visits.counts).toMatchObject({ sent: 1 });
  });

  it('drops visits that are not sent in time and reports them once', async () => {
    responses = Array.from({ length: 100 }, () => status(503, { 'retry-after': '200' }));
    const visits = reporter();
    add(visits, 600);
    await visits.shutdown(50);
    expect(visits.counts).toMatchObject({ sent: 0, dropped: 600, queued: 0 });
    expect(problems).toEqual([
      expect.stringMatching(/^600 visits were not reported: .*shutdown timed out after 50 ms$/),
    ]);
  });

  describe('while the instance is down', () => {
    beforeEach(() => {
      const realSetTimeout = setTimeout;
      jest
        .spyOn(globalThis, 'setTimeout')
        .mockImplementation(((run: () => void, milliseconds: number) =>
          realSetTimeout(
            run,
            milliseconds > 1_500 && milliseconds <= 2_500 ? 100 : milliseconds,
          )) as typeof setTimeout);
    });
    afterEach(() => jest.restoreAllMocks());

    it.each<[string, AgentTrafficOptions, ((response: ServerResponse) => void)[]]>([
      ['rejects connections', { url: 'http://127.0.0.1:1' }, []],
      ['responds with errors', {}, Array.from({ length: 100 }, () => status(502))],
      ['does not respond', { timeoutMs: 100 }, Array.from({ length: 100 }, () => () => undefined)],
    ])('gives up early if the instance %s', async (_, options, scriptedResponses) => {
      responses = scriptedResponses;
      const visits = reporter(options);
      add(visits, 300);
      const started = performance.now();
      await visits.shutdown(600_000);
      expect(performance.now() - started).toBeLessThan(60_000);
      expect(problems.at(-1)).toMatch(/^300 visits were not reported: .*the instance was down during shutdown$/);
      // The first shutdown call has used up the time, so a second call has none left.
      add(visits, 1);
      await visits.shutdown(600_000);
      expect(visits.counts).toMatchObject({ sent: 0, dropped: 301, queued: 0 });
    });

    it('gives up early if a failing instance stops responding', async () => {
      responses = [status(503), () => undefined];
      const visits = reporter();
      add(visits, 1);
      void visits.flush();
      await waitUntil(() => received.length === 2);
      const started = performance.now();
      await visits.shutdown(600_000);
      expect(performance.now() - started).toBeLessThan(60_000);
      expect(visits.counts).toMatchObject({ dropped: 1 });
    });
  });

  it('restores the full timeout once the instance recovers', async () => {
    responses = [status(503), status(204), status(429, { 'retry-after': '0' })];
    const visits = reporter();
    add(visits, 300);
    await visits.shutdown(60_000);
    expect(visits.counts).toMatchObject({ sent: 300, dropped: 0 });
    expect(problems).toEqual([]);
  });

  it('drops and reports visits that never finish', async () => {
    const visits = reporter();
    visits.addPending(new Promise(() => undefined));
    await visits.shutdown(50);
    expect(visits.isIdle).toBe(true);
    expect(problems).toEqual([expect.stringMatching(/^1 visit was not reported/)]);
  });

  it('reports visits dropped after a permanent error', async () => {
    responses = [status(401)];
    const visits = reporter();
    add(visits, 2);
    await visits.shutdown(60_000);
    expect(problems).toEqual(['2 visits were not reported: POST /visits returned 401: ']);
  });
});
