import { batchText } from './batch-text.js';

const NONE = { lines: 0, visits: 0, static_files: 0, left_out: 0, unreadable: 0 };

it.each([
  [NONE, 'no lines'],
  [{ ...NONE, lines: 1, visits: 1 }, '1 line: 1 visit'],
  [{ ...NONE, lines: 2, unreadable: 2 }, '2 lines: 0 visits, 2 unreadable'],
  [
    { lines: 1_004, visits: 640, static_files: 350, left_out: 4, unreadable: 10 },
    '1,004 lines: 640 visits, 350 static files left out, 4 left out as not from visitors, 10 unreadable',
  ],
])('describes %j as %s', (counts, text) => expect(batchText(counts)).toBe(text));
