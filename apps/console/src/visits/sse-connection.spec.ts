import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { jest } from '@jest/globals';
import { mergePositions, parsePosition, type VisitPosition } from '#libs/contracts';
import type { StreamedPart, StreamedVisit } from '#libs/visit-store';
import { StreamBudget } from './stream-budget.js';
import { SseConnection, type SseConnectionOptions } from './sse-connection.js';

class FakeResponse extends EventEmitter {
  text = '';
  destroyed = false;
  writableEnded = false;
  writableLength = 0;
  write(text: string): void {
    this.text += text;
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

/** Creates visits that alternate between two shards. */
const visits = (count: number): StreamedVisit[] =>
  Array.from({ length: count }, (_, index) => ({
    position: index % 2 === 0 ? [(index >> 1) + 1] : [0, (index >> 1) + 1],
    document: `{"n":${index + 1}}`,
    path: (index + 1) % 7 === 0 ? '/wanted' : '/other',
  })) as Partial<StreamedVisit>[] as StreamedVisit[];

const createPart = (all: StreamedVisit[]): Pick<StreamedPart, 'visits' | 'position'> => ({
  visits: all,
  position: all.reduce<VisitPosition>((reached, visit) => mergePositions(reached, visit.position), []),
});

const matchesPath = ({ path }: { path: string }): boolean => path === '/wanted';

let responses: FakeResponse[];
let budget: StreamBudget;
beforeEach(() => {
  responses = [];
  budget = new StreamBudget();
  jest.useFakeTimers();
});
afterEach(() => {
  for (const response of responses) response.destroy();
  jest.useRealTimers();
});

function openConnection(options: Partial<SseConnectionOptions>): { connection: SseConnection; response: FakeResponse } {
  const response = new FakeResponse();
  responses.push(response);
  const all = { position: [], maxPerSecond: null, matches: null, ...options };
  return { connection: new SseConnection(response as unknown as ServerResponse, budget, all), response };
}

/** Counts visits by event type and finds the last position, as a client would. */
function readEvents(text: string): { id: VisitPosition; visit: number; skipped: number; filtered: number } {
  const sums = { id: [] as VisitPosition, visit: 0, skipped: 0, filtered: 0 };
  // Text after the last blank line is an incomplete event.
  for (const event of text.split('\n\n').slice(0, -1)) {
    const [, name] = /^event: (\w+)$/m.exec(event) ?? [];
    const [, id] = /^id: (\S+)$/m.exec(event) ?? [];
    if (id !== undefined) sums.id = parsePosition(id)!;
    const count = Number(/"visits":(\d+)/.exec(event)?.[1] ?? 1);
    if (name === 'visit' || name === 'skipped' || name === 'filtered') sums[name] += count;
  }
  return sums;
}

it('sends the stream position before anything else', () => {
  const { response } = openConnection({ position: [41, 0, 7] });
  expect(response.text).toBe('retry: 1000\nevent: opened\nid: 41.0.7\ndata: {}\n\n');
});

it('applies the rate cap only to matching visits, and reports how many were skipped and filtered', async () => {
  const { connection, response } = openConnection({ maxPerSecond: 5, matches: matchesPath });
  await connection.send(createPart(visits(100)));
  jest.advanceTimersByTime(1_000);
  expect(readEvents(response.text)).toEqual({ id: [50, 50], visit: 5, skipped: 9, filtered: 86 });
});

it.each([
  ['filters', { matches: matchesPath }],
  ['a cap', { maxPerSecond: 3 }],
])('counts every visit exactly once with %s, no matter when the connection breaks', async (_, options) => {
  const all = visits(60);
  const { connection, response } = openConnection(options);
  for (let start = 0; start < all.length; start += 20) {
    await connection.send(createPart(all.slice(start, start + 20)));
    jest.advanceTimersByTime(1_000);
  }
  const fullText = response.text;
  for (let end = fullText.indexOf('\n\n') + 2; end <= fullText.length; end += 1) {
    const before = readEvents(fullText.slice(0, end));
    const resumed = openConnection({ ...options, position: before.id });
    await resumed.connection.send(createPart(all));
    jest.advanceTimersByTime(1_000);
    const after = readEvents(resumed.response.text);
    const sum = [before, after].reduce((total, { visit, skipped, filtered }) => total + visit + skipped + filtered, 0);
    expect([end, sum]).toEqual([end, all.length]);
    resumed.response.destroy();
  }
});

it('advances past positions without a visit', async () => {
  const { connection, response } = openConnection({ matches: matchesPath });
  await connection.send({ visits: visits(2), position: [9, 1] });
  jest.advanceTimersByTime(1_000);
  expect(readEvents(response.text)).toEqual({ id: [9, 1], visit: 0, skipped: 0, filtered: 2 });
});

it("disconnects a client that doesn't read", async () => {
  const { connection, response } = openConnection({});
  await connection.send(createPart(visits(3)));
  expect(connection.isDisconnected).toBe(false);
  response.writableLength = 2 * 1024 * 1024;
  await connection.send(createPart(visits(4)));
  expect(connection.isDisconnected).toBe(true);
});
