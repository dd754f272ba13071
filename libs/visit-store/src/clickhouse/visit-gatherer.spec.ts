import { jest } from '@jest/globals';
import type { VisitRow } from '../visit-row.js';
import { VisitGatherer } from './visit-gatherer.js';

const createRows = (...ids: string[]): VisitRow[] => ids.map((id) => ({ id }) as VisitRow);

let batches: string[][];
let gatherer: VisitGatherer;
beforeEach(() => {
  jest.useFakeTimers();
  batches = [];
  gatherer = new VisitGatherer(async (visits) => {
    const ids = visits.map(({ id }) => id);
    batches.push(ids);
    if (ids.includes('rejected')) throw new Error('rejected');
    return ids;
  });
});
afterEach(() => {
  jest.useRealTimers();
});

it('stores the first visits immediately', async () => {
  expect(await gatherer.add(createRows('1', '2'))).toEqual(['1', '2']);
});

it('combines the visits of the next 100 ms', async () => {
  await gatherer.add(createRows('1'));
  const stored = [gatherer.add(createRows('2')), gatherer.add(createRows('3', '4'))];
  await jest.advanceTimersByTimeAsync(99);
  expect(batches).toEqual([['1']]);
  await jest.advanceTimersByTimeAsync(1);
  expect(await Promise.all(stored)).toEqual([
    ['2', '3', '4'],
    ['2', '3', '4'],
  ]);
  expect(batches).toEqual([['1'], ['2', '3', '4']]);
});

it('stores visits immediately after a pause of 100 ms', async () => {
  await gatherer.add(createRows('1'));
  await jest.advanceTimersByTimeAsync(100);
  expect(await gatherer.add(createRows('2'))).toEqual(['2']);
});

it("doesn't let 500 visits wait", async () => {
  await gatherer.add(createRows('1'));
  const ids = Array.from({ length: 499 }, (_, index) => `many ${index}`);
  const stored = gatherer.add(createRows('2'));
  await gatherer.add(createRows(...ids));
  expect(await stored).toEqual(['2', ...ids]);
});

it('reports an error for all visits of the batch, and stores the next ones', async () => {
  await gatherer.add(createRows('1'));
  const stored = [gatherer.add(createRows('2')), gatherer.add(createRows('rejected'))];
  const outcomes = Promise.allSettled(stored);
  await jest.advanceTimersByTimeAsync(100);
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = gatherer.add(createRows('3'));
  await jest.advanceTimersByTimeAsync(100);
  expect(await next).toEqual(['3']);
});
