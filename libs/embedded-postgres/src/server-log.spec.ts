import { logLines } from './server-log.js';

const UNIQUE = 'duplicate key value violates unique constraint "visits_pkey"';

it.each([
  [
    ['ERROR:  division by zero', 'STATEMENT:  SELECT 1 / 0'],
    ['warn', 'warn'],
  ],
  [
    [`ERROR:  ${UNIQUE}`, 'DETAIL:  Key (id)=(1) already exists.', 'LOG:  checkpoint starting'],
    ['debug', 'debug', 'debug'],
  ],
  [
    [`ERROR:  ${UNIQUE}`, 'ERROR:  out of memory'],
    ['debug', 'warn'],
  ],
])('logs %j at the levels %j', (lines, levels) => {
  const seen: string[] = [];
  const log = Object.fromEntries(
    ['debug', 'info', 'warn', 'error'].map((level) => [level, () => void seen.push(level)]),
  ) as unknown as Parameters<typeof logLines>[0];
  const read = logLines(log, () => false);
  for (const line of lines) read(line);
  expect(seen).toEqual(levels);
});
