import { MAX_FAULTS, validator } from './validator.js';
import { RobotsTxtRequestSchema } from './rules.schema.js';

const { faults } = validator(RobotsTxtRequestSchema);

it('explains a body of millions of faults by the first ones', () => {
  const before = process.memoryUsage();
  const body = { agent_types: Array(2_000_000).fill(1), excluded_agent_tokens: Array(500_000).fill(1) };
  expect(faults(body)).toHaveLength(MAX_FAULTS);
  const { heapUsed, rss } = process.memoryUsage();
  expect(Math.max(heapUsed - before.heapUsed, rss - before.rss)).toBeLessThan(200e6);
});

it('says that an array is too long, and what fault is far back in it', () => {
  const long = Array(1_000_000).fill('x');
  expect(faults({ agent_types: [], excluded_agent_tokens: long })).toEqual([
    { pointer: '/excluded_agent_tokens', detail: 'must have 10000 items or fewer' },
  ]);
  expect(faults({ agent_types: [...Array(50_000).fill('Scraper'), 7] })).toEqual([
    { pointer: '/agent_types/50000', detail: 'must be string' },
  ]);
});

it('takes a body nested as deep as can be sent', () => {
  let deep: unknown[] = [];
  for (let depth = 0; depth < 1_000_000; depth++) deep = [deep];
  expect(faults({ agent_types: deep, other: deep })[0]).toEqual({
    pointer: '/agent_types/0',
    detail: 'must be string',
  });
});
