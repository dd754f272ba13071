import { jest } from '@jest/globals';
import { PatternTrialService } from './pattern-trial.service.js';
import { formatDimension } from '#libs/contracts';
import type { DimensionSpan, DimensionsRepository } from '#libs/visit-store';
import type { SnapshotReader } from '../reads/snapshot-reader.js';

const GROUPS = 1_000;
const at = new Date('2026-11-21T08:00:00Z');
const spans = Array.from({ length: GROUPS }, (_, index) => {
  return { value: formatDimension('likely', `Zyx-${index}/*`), visits: 1, first_at: at, last_at: at } as DimensionSpan;
});
const service = new PatternTrialService(
  { read: (query: (reader: never) => unknown) => query(null as never) } as unknown as SnapshotReader,
  { spans: async () => spans } as unknown as DimensionsRepository,
  () => at.getTime(),
);

afterEach(() => void jest.restoreAllMocks());

it('yields to the event loop while it runs', async () => {
  let ticks = 0;
  let isDone = false;
  const count = (): void => {
    ticks += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const result = await service.run('p', [
    'Zyx',
    ...Array.from({ length: 49 }, (_, index) => `abc${index}[a-c]{0,90}Q?`),
  ]);
  isDone = true;
  expect(result).toMatchObject({ groups: GROUPS });
  expect(ticks).toBeGreaterThanOrEqual(GROUPS / 10);
});

it('aborts a trial that takes too long', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  expect(await service.run('p', ['Zyx'])).toEqual([
    {
      pointer: '/user_agent_patterns',
      detail: 'must finish within 5 seconds. Try fewer patterns at a time, or shorten their repetitions',
    },
  ]);
});
