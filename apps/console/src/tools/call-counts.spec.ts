import { durationClass } from '#libs/contracts';
import { Durations, faultOf, isRefusal } from './call-counts.js';

it('parses outcomes', () => {
  expect(faultOf('')).toBeNull();
  expect(faultOf('tool')).toEqual({ fault: 'tool', code: null });
  expect(faultOf('http 503')).toEqual({ fault: 'http', code: 503 });
  expect(faultOf('of a later version')).toBeNull();
  expect(isRefusal(faultOf('protocol -32602'))).toBe(true);
  expect(isRefusal(faultOf('protocol -32601'))).toBe(true);
  expect(isRefusal(faultOf('protocol -32603'))).toBe(false);
  expect(isRefusal(faultOf('tool'))).toBe(false);
});

it('estimates percentiles to within ten percent', () => {
  const durations = new Durations();
  expect(durations.percentile(0.5)).toBeNull();
  for (let duration = 1_000; duration > 0; duration -= 1) durations.add(durationClass(duration), 1);
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
