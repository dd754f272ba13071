import { pino } from 'pino';
import type { DecisionCount, DecisionCountsRepository } from './decision-counts.repository.js';
import { DecisionCountsService } from './decision-counts.service.js';

const LOGGER = pino({ level: 'silent' });
const SLOWED = { outcome: 'slowed', mode: 'live', ruleId: 'rule' } as const;

it('adds decisions of an hour to one count, and retries failed writes', async () => {
  let isDown = true;
  let now = Date.parse('2026-01-01T10:59:00Z');
  const written: DecisionCount[] = [];
  const repository = {
    add: async (counts: DecisionCount[]) => {
      if (isDown) throw new Error('connection lost');
      written.push(...counts);
    },
  } as unknown as DecisionCountsRepository;
  const service = new DecisionCountsService(repository, LOGGER, () => now);
  service.record('shop', [SLOWED, { ...SLOWED, mode: 'dry_run' }]);
  service.record('shop', [SLOWED]);
  await service.beforeApplicationShutdown();
  isDown = false;
  now += 60_000;
  service.record('shop', [SLOWED]);
  await service.beforeApplicationShutdown();
  const count = { projectId: 'shop', ...SLOWED };
  expect(written).toEqual([
    { ...count, hour: '2026-01-01T10:00:00.000Z', decisions: 2 },
    { ...count, mode: 'dry_run', hour: '2026-01-01T10:00:00.000Z', decisions: 1 },
    { ...count, hour: '2026-01-01T11:00:00.000Z', decisions: 1 },
  ]);
});
