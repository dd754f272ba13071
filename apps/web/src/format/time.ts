/** Locale used unless the browser's language is a variety of English. */
const DEFAULT_LOCALE = 'en-US';

/** Returns the locale for dates: the browser's if it's English, because all texts are, and otherwise American English. */
export const getDateLocale = (language: string | undefined): string =>
  language !== undefined && /^en-[A-Z]{2}$/.test(language) ? language : DEFAULT_LOCALE;

const LOCALE = getDateLocale(globalThis.navigator?.language);
const FORMATTERS = new Map<string, Intl.DateTimeFormat>();

/** Formats a time. Hours are from 0 to 23. */
export const formatTime = (time: string, timeZone: string, options: Intl.DateTimeFormatOptions): string =>
  getFormatter(timeZone, options).format(new Date(time));

/** Formats a range of days such as "Nov 16 – 22, 2026". */
export const formatDayRange = (first: string, last: string, timeZone: string): string =>
  getFormatter(timeZone, { dateStyle: 'medium' }).formatRange(new Date(first), new Date(last));

/** Formats a time as a local time without a time zone, such as "2026-11-21T18:30". */
export const formatLocalTime = (time: string, timeZone: string): string =>
  getFormatter(timeZone, { dateStyle: 'short', timeStyle: 'short' }, 'sv-SE').format(new Date(time)).replace(' ', 'T');

/** Returns a cached formatter, because formatters are slow to create. */
function getFormatter(
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
  locale: string = LOCALE,
): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${JSON.stringify(options)}`;
  let format = FORMATTERS.get(key);
  if (format === undefined) {
    FORMATTERS.set(key, (format = new Intl.DateTimeFormat(locale, { ...options, hourCycle: 'h23', timeZone })));
  }
  return format;
}
