import { getDurationClass } from '#libs/contracts';
import { Durations, parseOutcome, isRejection } from './call-counts.js';

it('parses outcomes of tool calls', () => {
  expect(parseOutcome('')).toBeNull();
  expect(parseOutcome('tool')).toEqual({ fault: 'tool', code: null });
  expect(parseOutcome('http 503')).toEqual({ fault: 'http', code: 503 });
  expect(parseOutcome('of a later version')).toBeNull();
  expect(isRejection(parseOutcome('protocol -32602'))).toBe(true);
  expect(isRejection(parseOutcome('protocol -32601'))).toBe(true);
  expect(isRejection(parseOutcome('protocol -32603'))).toBe(false);
  expect(isRejection(parseOutcome('tool'))).toBe(false);
});

it('estimates percentiles to within 10%', () => {
  const durations = new Durations();
  expect(durations.percentile(0.5)).toBeNull();
  for (let duration = 1_000; duration > 0; duration -= 1) durations.add(getDurationClass(duration), 1);
  expect(durations.calls).toBe(1_000);
  for (const [share, exact] of [
    [0.5, 500],
    [0.95, 950],
    [0.01, 10],
    [1, 1_000],
  ] as const) {
    expect(Math.abs(durations.percentile(share)! / exact - 1)).toBeLessThan(0.1);
  }
});
