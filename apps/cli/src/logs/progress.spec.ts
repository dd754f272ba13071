import { progressText } from './progress.js';

const STATE = { bytes: 250, totalBytes: 1_000, lines: 12_000, note: '' };

it('tells rate and remaining time from the bytes read', () => {
  expect(progressText(STATE, 10_000)).toBe('12,000 lines  1,200 lines/s  30 s left');
  expect(progressText({ ...STATE, bytes: 1_000 }, 10_000)).toBe('12,000 lines  1,200 lines/s');
  expect(progressText({ ...STATE, bytes: 50 }, 10_000)).toContain('3:10 min left');
  expect(progressText({ ...STATE, bytes: 1 }, 10_000)).toContain('2:46 h left');
});

it('tells no remaining time where the size is unknown, and what it waits for', () => {
  const state = { ...STATE, totalBytes: undefined, note: 'waiting 5 s: 429' };
  expect(progressText(state, 0)).toBe('12,000 lines  12,000,000 lines/s  waiting 5 s: 429');
});
