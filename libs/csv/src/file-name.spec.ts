import { createFileName } from './file-name.js';

it.each([
  ['The Shop', 'visits', { from: '2026-11-20', to: '2026-11-21' }, 'the-shop-visits-2026-11-20-2026-11-21.csv'],
  ['Käse & Brot', 'Agents', { from: '2026-11-20T17:45Z' }, 'kase-brot-agents-2026-11-20T1745Z.csv'],
  ['../../etc\r\n"', 'spoofed visits', {}, 'etc-spoofed-visits.csv'],
  ['店', 'visits', {}, 'project-visits.csv'],
])('createFileName for %j, %s and %j returns %s', (owner, page, range, name) =>
  expect(createFileName(owner, page, range, 'csv')).toBe(name),
);
