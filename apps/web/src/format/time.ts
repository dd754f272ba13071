const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** A time in a zone. */
export const formatted = (time: string, timeZone: string, options: Intl.DateTimeFormatOptions): string =>
  formatOf(timeZone, options).format(new Date(time));

/** Two days in a zone, as "16 – 22 Nov 2026". */
export const formattedDays = (first: string, last: string, timeZone: string): string =>
  formatOf(timeZone, { dateStyle: 'medium' }).formatRange(new Date(first), new Date(last));

/** What makes formats is slow, so each is made once. */
function formatOf(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`;
  let format = FORMATS.get(key);
  // `en-GB`: hours to 24 and the day before the month, in the language of the page.
  if (format === undefined) FORMATS.set(key, (format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone })));
  return format;
}
