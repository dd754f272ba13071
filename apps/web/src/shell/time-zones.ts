/** Every zone the browser knows, UTC first. */
export const TIME_ZONES: readonly string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

/** The one of the person who looks. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
