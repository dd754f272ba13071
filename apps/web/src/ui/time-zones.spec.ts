import { listTimeZones } from './time-zones.js';

it('lists each zone once, by its current name', () => {
  const zones = listTimeZones();
  expect(zones[0]).toBe('UTC');
  expect(new Set(zones).size).toBe(zones.length);
  expect(zones).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires']));
  for (const oldName of ['Asia/Calcutta', 'Europe/Kiev', 'America/Buenos_Aires', 'US/Pacific', 'Etc/GMT+3', 'EST']) {
    expect(zones).not.toContain(oldName);
  }
});
