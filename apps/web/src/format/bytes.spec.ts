import { formatBytes } from './bytes.js';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.0 kB'],
  [75_300, '75.3 kB'],
  [99_600, '100 kB'],
  [999_600, '1.0 MB'],
  [3_440_000_000, '3.4 GB'],
  [5e15, '5000 TB'],
])('formats %d as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

it('uses the unit of the largest size', () => expect(formatBytes(75_300, 3_440_000)).toBe('0.1 MB'));
