import { formatLocalTime } from '../format/time.js';

/** Formats an instant in a time zone as a `datetime-local` input value. */
export const toInput = formatLocalTime;

/**
 * Parses a `datetime-local` input value in a time zone. At DST changes, a skipped time moves one hour later, and a
 * repeated time means its first occurrence.
 * @returns Null if the text isn't a valid time.
 */
export function fromInput(text: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return null;
  // The UTC offset may change near that time, so try the offsets one day before and one day after.
  const offsetAt = (time: number): number =>
    Date.parse(`${toInput(new Date(time).toISOString(), timeZone)}Z`) - Math.floor(time / 60_000) * 60_000;
  const times = [asUtc - 86_400_000, asUtc + 86_400_000].map((probe) => asUtc - offsetAt(probe));
  const time = times.find((candidate) => candidate + offsetAt(candidate) === asUtc) ?? times[0]!;
  return new Date(time).toISOString();
}
