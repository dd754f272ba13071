const FORMATTERS = new Map<string, Intl.DateTimeFormat>();

export const formatTime = (time: string, timeZone: string, options: Intl.DateTimeFormatOptions): string =>
  getFormatter(timeZone, options).format(new Date(time));

/** Formats a range of days such as "16 – 22 Nov 2026". */
export const formatDayRange = (first: string, last: string, timeZone: string): string =>
  getFormatter(timeZone, { dateStyle: 'medium' }).formatRange(new Date(first), new Date(last));

/** Returns a cached formatter, because formatters are slow to create. */
function getFormatter(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`;
  let format = FORMATTERS.get(key);
  // `en-GB` uses a 24-hour clock and puts the day before the month.
  if (format === undefined) FORMATTERS.set(key, (format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone })));
  return format;
}
