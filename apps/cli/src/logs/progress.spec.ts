import { progressText } from './progress.js';

const STATE = { bytes: 2_500, totalBytes: 10_000, lines: 12_000, note: '' };
const pace = (linesPerSecond: number, bytesPerSecond: number) => ({ linesPerSecond, bytesPerSecond });

it('shows the rate and estimates the remaining time', () => {
  expect(progressText(STATE, pace(1_200.4, 250))).toBe('12,000 lines  1,200 lines/s  30 s left');
  expect(progressText({ ...STATE, bytes: 10_000 }, pace(1_200, 250))).toBe('12,000 lines  1,200 lines/s');
  expect(progressText({ ...STATE, bytes: 500 }, pace(1_200, 50))).toContain('3:10 min left');
  expect(progressText({ ...STATE, bytes: 10 }, pace(1_200, 1))).toContain('2:46 h left');
});

it('omits the remaining time if the size is unknown or the import is stalled, and shows the note', () => {
  const note = 'waiting 5 s: 429';
  expect(progressText({ ...STATE, totalBytes: undefined }, pace(120, 25))).toBe('12,000 lines  120 lines/s');
  expect(progressText({ ...STATE, note }, pace(0, 0))).toBe('12,000 lines  0 lines/s  waiting 5 s: 429');
});
