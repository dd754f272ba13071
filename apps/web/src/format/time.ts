const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** A time in a zone; what makes formats is slow, so each is made once. */
export function formatted(time: string, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${timeZone} ${JSON.stringify(options)}`;
  let format = FORMATS.get(key);
  // `en-GB`: hours to 24 and the day before the month, in the language of the page.
  if (format === undefined) FORMATS.set(key, (format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone })));
  return format.format(new Date(time));
}
