import { describeRange } from './describe-range.js';

it('describes presets', () => {
  expect(describeRange({})).toBe('in the last 24 hours');
  expect(describeRange({ range: '30d' })).toBe('in the last 30 days');
  expect(describeRange({ range: 'yesterday' })).toBe('yesterday');
});

it('describes custom ranges', () => {
  expect(describeRange({ from: '2026-11-01T00:00:00Z', to: '2026-11-02T12:00:00Z' })).toBe('in this range');
});
