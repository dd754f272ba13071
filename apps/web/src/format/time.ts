const FORMATS = new Map<string, Intl.DateTimeFormat>();

export const formatted = (time: string, timeZone: string, options: Intl.DateTimeFormatOptions): string =>
  formatOf(timeZone, options).format(new Date(time));

/** Formats a range of days such as "16 – 22 Nov 2026". */
export const formattedDays = (first: string, last: string, timeZone: string): string =>
  formatOf(timeZone, { dateStyle: 'medium' }).formatRange(new Date(first), new Date(last));

/** Caches formats, because they are slow to create. */
function formatOf(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`;
  let format = FORMATS.get(key);
  // `en-GB` has a 24-hour clock and the day before the month.
  if (format === undefined) FORMATS.set(key, (format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone })));
  return format;
}
