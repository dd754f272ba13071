import { getLocalDays } from './local-days.js';

const range = (from: string, to: string) => ({ from: Date.parse(from), to: Date.parse(to) });

it.each([
  ['2026-11-21T00:00:00Z', '2026-11-22T00:00:00Z', 'UTC', '2026-11-21', '2026-11-21'],
  ['2026-11-21T00:00:00Z', '2026-11-22T00:15:00Z', 'UTC', '2026-11-21', '2026-11-22'],
  ['2026-11-20T23:00:00Z', '2026-11-21T23:00:00Z', 'Europe/Berlin', '2026-11-21', '2026-11-21'],
  ['2026-11-21T00:00:00Z', '2026-11-21T12:00:00Z', 'America/Los_Angeles', '2026-11-20', '2026-11-21'],
  ['0001-01-01T00:00:00Z', '0001-01-02T00:00:00Z', 'Asia/Tokyo', '1900-01-01', '1900-01-01'],
  ['9999-12-30T00:00:00Z', '9999-12-31T23:45:00Z', 'Asia/Tokyo', '2099-12-31', '2099-12-31'],
])('maps %s – %s in %s to the days %s – %s', (from, to, zone, first, last) =>
  expect(getLocalDays(range(from, to), zone)).toEqual([first, last]),
);
