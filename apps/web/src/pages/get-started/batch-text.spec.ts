import { batchText } from './batch-text.js';

const NO_LINES = { lines: 0, visits: 0, static_files: 0, left_out: 0, unreadable: 0 };

it.each([
  [NO_LINES, 'no lines'],
  [{ ...NO_LINES, lines: 1, visits: 1 }, '1 line: 1 visit'],
  [{ ...NO_LINES, lines: 2, unreadable: 2 }, '2 lines: 0 visits, 2 unreadable'],
  [
    { lines: 1_004, visits: 640, static_files: 350, left_out: 4, unreadable: 10 },
    '1,004 lines: 640 visits, 350 static files skipped, 4 skipped as non-visitor traffic, 10 unreadable',
  ],
])('formats %j as "%s"', (counts, text) => expect(batchText(counts)).toBe(text));
