import { Pace } from './pace.js';

const seconds = (time: number, lines: number) => ({ time: time * 1_000, lines, bytes: lines * 250 });

it('averages the import speed over the last ten seconds', () => {
  const pace = new Pace(seconds(0, 0));
  expect(pace.linesPerSecond).toBe(0);
  for (let second = 1; second <= 30; second += 1) pace.add(seconds(second, second * 100));
  expect(pace.linesPerSecond).toBe(100);
  for (let second = 31; second <= 35; second += 1) pace.add(seconds(second, 3_000 + (second - 30) * 300));
  expect(pace.linesPerSecond).toBe(200);
  expect(pace.bytesPerSecond).toBe(50_000);
  for (let second = 36; second <= 45; second += 1) pace.add(seconds(second, 4_500));
  expect(pace.linesPerSecond).toBe(0);
});

it('uses the last two positions for the speed if they are more than ten seconds apart', () => {
  const pace = new Pace(seconds(0, 0));
  pace.add(seconds(20, 2_000));
  pace.add(seconds(40, 2_200));
  expect(pace.linesPerSecond).toBe(10);
});
