import { isUuid, getTimeFromId } from '#libs/contracts';
import { Chunk } from './drain-chunks.js';
import { LineIds } from './line-ids.js';

const PROJECT = '019a0000-0000-7000-8000-000000000000';
const NOW = Date.parse('2026-11-24T10:00:00Z');
const HOUR = 3_600_000;
const chunk = (...items: string[]) => new Chunk(items, 1);
const line = (id?: string, time = NOW - HOUR) => ({
  client: '203.0.113.7',
  method: 'GET',
  path: '/',
  time: new Date(time).toISOString(),
  ...(id !== undefined && { id }),
});
const ids = new LineIds(PROJECT, 'vercel', NOW);

it('assigns the same ID to a line that is resent later in another batch', () => {
  const id = ids.create(line('a'), chunk('x'), 0);
  expect([isUuid(id), getTimeFromId(id)]).toEqual([true, NOW - HOUR]);
  expect(new LineIds(PROJECT, 'vercel', NOW + HOUR).create(line('a'), chunk('y', 'z'), 1)).toBe(id);
  const others = [
    ids.create(line('b'), chunk('x'), 0),
    ids.create(line('a', NOW - HOUR + 1), chunk('x'), 0),
    new LineIds(PROJECT, 'json', NOW).create(line('a'), chunk('x'), 0),
    new LineIds(PROJECT.replace('a', 'b'), 'vercel', NOW).create(line('a'), chunk('x'), 0),
  ];
  expect(new Set([id, ...others]).size).toBe(5);
});

it('distinguishes requests with the same ID and timestamp', () => {
  const first = line('a');
  const lines = [
    first,
    { ...first, path: '/other' },
    { ...first, method: 'POST' },
    { ...first, client: '203.0.113.8' },
    { ...first, host: 'other.example' },
    { ...first, status: 404 },
    { ...first, userAgent: 'GPTBot/1.2' },
    { ...first, referer: 'https://a.example/' },
    { ...first, forwardedFor: '203.0.113.9' },
  ];
  const of = (items: typeof lines): string[] => items.map((item, index) => ids.create(item, chunk('x'), index));
  expect(new Set(of(lines)).size).toBe(lines.length);
  expect(of(lines.toReversed())).toEqual(of(lines).toReversed());
  expect(ids.create({ ...first, size: 5, durationInMilliseconds: 7 } as typeof first, chunk('x'), 0)).toBe(
    of(lines)[0],
  );
});

it('distinguishes lines without an ID by their chunk and position', () => {
  const id = ids.create(line(), chunk('x', 'x'), 0);
  expect(new LineIds(PROJECT, 'vercel', NOW + 1).create(line(), chunk('x', 'x'), 0)).toBe(id);
  expect(ids.create(line(), chunk('x', 'x'), 1)).not.toBe(id);
  expect(ids.create(line(), chunk('x'), 0)).not.toBe(id);
});

it('uses the current time in IDs for lines that are too old or in the future', () => {
  for (const time of [0, NOW - 4 * 24 * HOUR, NOW + HOUR])
    expect(getTimeFromId(ids.create(line('a', time), chunk('x'), 0))).toBe(NOW);
});
