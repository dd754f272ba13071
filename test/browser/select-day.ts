import type { Locator } from '@playwright/test';

const LONG_DAY = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'long' });

/** Returns the day in a date field, such as "2026-11-21". */
export const getDay = async (field: Locator): Promise<string> =>
  new Date(`${(await field.textContent())!} UTC`).toISOString().slice(0, 10);

/** Selects a day in the calendar of a date field. */
export async function selectDay(field: Locator, day: string): Promise<void> {
  const [year, month] = (await getDay(field)).split('-').map(Number);
  const [newYear, newMonth] = day.split('-').map(Number);
  const page = field.page();
  await field.click();
  const months = (newYear! - year!) * 12 + newMonth! - month!;
  const arrow = page.getByRole('button', { name: months < 0 ? 'Previous month' : 'Next month' });
  for (let clicks = Math.abs(months); clicks > 0; clicks--) await arrow.click();
  await page.getByRole('button', { name: LONG_DAY.format(new Date(day)), exact: true }).click();
}
