import type { AlertEvent, AlertPreview } from '../../api/alerts.js';
import { countByDay, describeLength, getFirstCheck } from './alert-events.js';

const NIGHT = '2026-11-30T22:00:00.000Z';

const toEvent = (alertId: string, recoveredAt: string | null): AlertEvent =>
  ({ alert_id: alertId, fired_at: NIGHT, recovered_at: recoveredAt }) as AlertEvent;

it.each<[string | null, string]>([
  ['2026-12-01T00:15:00.000Z', 'lasted 2 h 15 min'],
  [NIGHT, ''],
  [null, 'still firing'],
])('describes an event that recovered at %s as "%s"', (recoveredAt, text) =>
  expect(describeLength(toEvent('a', recoveredAt))).toBe(text),
);

it.each([
  [null, '2026-11-30T22:15:00.000Z'],
  ['2026-11-30T22:00:00.000Z', '2026-11-30T22:15:00.000Z'],
  ['2026-11-30T22:15:00.000Z', null],
])('returns the first check of a new alert if the last one was at %s', (until, expected) =>
  expect(getFirstCheck({ checked_since: '2026-11-30T22:07:00.000Z' }, until)).toBe(expected),
);

it('counts events by the local day', () => {
  const events = ['2026-11-30T23:30:00Z', '2026-11-30T22:30:00Z', '2026-11-28T12:00:00Z', '2026-10-01T12:00:00Z'];
  const preview = { events: events.map((time) => ({ fired_at: time })) } as AlertPreview;
  const now = Date.parse('2026-12-01T10:00:00Z');
  expect(countByDay(preview, { days: 4, now, timeZone: 'Europe/Berlin' })).toEqual([1, 0, 1, 1]);
});
