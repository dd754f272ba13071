import { formatted } from '../format/time.js';

/** Formats an instant for an input of type `datetime-local` in a time zone. */
export function toInput(instant: string, timeZone: string): string {
  const date = formatted(instant, timeZone, { year: 'numeric', month: '2-digit', day: '2-digit' });
  const [day, month, year] = date.split('/');
  return `${year}-${month}-${day}T${formatted(instant, timeZone, { hour: '2-digit', minute: '2-digit' })}`;
}

/**
 * Parses the value of a `datetime-local` input in a time zone. When clocks change, a skipped time is moved one hour
 * later, and a repeated time means its first occurrence.
 *
 * @returns Null if the text is not a time.
 */
export function fromInput(text: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return null;
  // The UTC offset can change near that time, so try the offsets of a day before and after.
  const offsetAt = (time: number): number =>
    Date.parse(`${toInput(new Date(time).toISOString(), timeZone)}Z`) - Math.floor(time / 60_000) * 60_000;
  const times = [asUtc - 86_400_000, asUtc + 86_400_000].map((near) => asUtc - offsetAt(near));
  const time = times.find((each) => each + offsetAt(each) === asUtc) ?? times[0]!;
  return new Date(time).toISOString();
}
