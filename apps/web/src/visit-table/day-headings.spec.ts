import { addDayHeadings } from './day-headings.js';

const createVisits = (...times: string[]) => times.map((time) => ({ occurred_at: time }));

it('inserts a heading before the first visit of each day in the time zone', () => {
  const visits = createVisits('2026-11-23T23:30:00Z', '2026-11-23T22:30:00Z', '2026-11-21T08:00:00Z');
  expect(addDayHeadings(visits, 'Europe/Berlin')).toEqual([
    { visit: 0, day: 'Tuesday, November 24, 2026' },
    { visit: 0 },
    { visit: 1, day: 'Monday, November 23, 2026' },
    { visit: 1 },
    { visit: 2, day: 'Saturday, November 21, 2026' },
    { visit: 2 },
  ]);
  expect(addDayHeadings(visits, 'UTC').flatMap(({ day }) => day ?? [])).toEqual([
    'Monday, November 23, 2026',
    'Saturday, November 21, 2026',
  ]);
});

it('inserts no headings without a time zone', () =>
  expect(addDayHeadings(createVisits('2026-11-23T23:30:00Z'), null)).toEqual([{ visit: 0 }]));
