import { formatted } from '../format/time.js';

/** An instant as a field of type `datetime-local` has it, by the clocks of a zone. */
export function toInput(instant: string, timeZone: string): string {
  const date = formatted(instant, timeZone, { year: 'numeric', month: '2-digit', day: '2-digit' });
  const [day, month, year] = date.split('/');
  return `${year}-${month}-${day}T${formatted(instant, timeZone, { hour: '2-digit', minute: '2-digit' })}`;
}

/**
 * The instant of what such a field says. An hour that clocks skip is read as the one after it, of an hour that they
 * repeat the first.
 *
 * @returns null for anything that is not a time.
 */
export function fromInput(text: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return null;
  // Clocks there are some hours off UTC; how many, is read off them near that time.
  const offsetAt = (time: number): number =>
    Date.parse(`${toInput(new Date(time).toISOString(), timeZone)}Z`) - Math.floor(time / 60_000) * 60_000;
  const times = [asUtc - 86_400_000, asUtc + 86_400_000].map((near) => asUtc - offsetAt(near));
  const time = times.find((each) => each + offsetAt(each) === asUtc) ?? times[0]!;
  return new Date(time).toISOString();
}
