import { createLineLogger } from './server-log.js';

const UNIQUE_VIOLATION = 'duplicate key value violates unique constraint "visits_pkey"';

it.each([
  [
    ['ERROR:  division by zero', 'STATEMENT:  SELECT 1 / 0'],
    ['warn', 'warn'],
  ],
  [
    [`ERROR:  ${UNIQUE_VIOLATION}`, 'DETAIL:  Key (id)=(1) already exists.', 'LOG:  checkpoint starting'],
    ['debug', 'debug', 'debug'],
  ],
  [
    [`ERROR:  ${UNIQUE_VIOLATION}`, 'ERROR:  out of memory'],
    ['debug', 'warn'],
  ],
])('createLineLogger logs %j at levels %j', (lines, levels) => {
  const loggedLevels: string[] = [];
  const log = Object.fromEntries(
    ['debug', 'info', 'warn', 'error'].map((level) => [level, () => void loggedLevels.push(level)]),
  ) as unknown as Parameters<typeof createLineLogger>[0];
  const read = createLineLogger(log, () => false);
  for (const line of lines) read(line);
  expect(loggedLevels).toEqual(levels);
});
