const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Remembered, and offsets of each. */
const MAX_ZONES = 50;
const MAX_OFFSETS = 2_000;

const zones = new Map<string, ZonedTime>();

/**
 * Tells when hours, days, weeks (on Monday) and months begin in a time zone, even when clocks change. Times are
 * milliseconds since the epoch.
 */
export class ZonedTime {
  /** Null for UTC. */
  private readonly format: Intl.DateTimeFormat | null;
  /** By time: asking for the offset of each hour of a week takes milliseconds, and most charts have the same hours. */
  private readonly offsets = new Map<number, number>();

  /** @param zone IANA time zone. */
  private constructor(zone: string) {
    this.format = zone === 'UTC' ? null : new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  }

  /** @param zone IANA time zone. */
  static of(zone: string): ZonedTime {
    const known = zones.get(zone);
    if (known !== undefined) return known;
    const added = new ZonedTime(zone);
    if (zones.size >= MAX_ZONES) zones.clear();
    zones.set(zone, added);
    return added;
  }

  /** Milliseconds that the zone is ahead of UTC at this time. */
  offset(time: number): number {
    if (this.format === null) return 0;
    const known = this.offsets.get(time);
    if (known !== undefined) return known;
    const offset = readOffset(this.format, time);
    if (this.offsets.size >= MAX_OFFSETS) this.offsets.clear();
    this.offsets.set(time, offset);
    return offset;
  }

  startOfHour(time: number): number {
    return time - modulo(time + this.offset(time), HOUR_MS);
  }

  /** An hour is shorter or longer where clocks change by half an hour. */
  nextHour(time: number): number {
    return time + HOUR_MS - modulo(time + this.offset(time), HOUR_MS);
  }

  startOfDay(time: number): number {
    return this.firstOfDay(this.dayNumber(time));
  }

  /** Usually 23 to 25 hours after the start of a day. */
  nextDay(time: number): number {
    return this.firstOfDay(this.dayNumber(time) + 1);
  }

  startOfWeek(time: number): number {
    return this.firstOfDay(this.mondayOf(time));
  }

  nextWeek(time: number): number {
    return this.firstOfDay(this.mondayOf(time) + 7);
  }

  startOfMonth(time: number): number {
    return this.firstOfMonth(time, 0);
  }

  nextMonth(time: number): number {
    return this.firstOfMonth(time, 1);
  }

  private mondayOf(time: number): number {
    const day = this.dayNumber(time);
    // Day 0 was a Thursday.
    return day - modulo(day + 3, 7);
  }

  /** @param later months after the one of `time`. */
  private firstOfMonth(time: number, later: number): number {
    const date = new Date(this.dayNumber(time) * DAY_MS);
    date.setUTCMonth(date.getUTCMonth() + later, 1);
    return this.firstOfDay(date.getTime() / DAY_MS);
  }

  /** Days since the epoch by the local calendar. */
  private dayNumber(time: number): number {
    return Math.floor((time + this.offset(time)) / DAY_MS);
  }

  /** Finds the first minute of a day, which need not be midnight; of a day that the zone skips, that of the next one. */
  private firstOfDay(day: number): number {
    const offset = this.offset(day * DAY_MS);
    const midnight = day * DAY_MS - offset;
    // Clocks did not change shortly before it, so that it is the only one.
    if (this.offset(midnight) === offset && this.offset(midnight - 3 * HOUR_MS) === offset) return midnight;
    let [before, after] = [day * DAY_MS - 26 * HOUR_MS, day * DAY_MS + 26 * HOUR_MS].map(
      (time) => time / MINUTE_MS,
    ) as [number, number];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.dayNumber(middle * MINUTE_MS) >= day) after = middle;
      else before = middle;
    }
    return after * MINUTE_MS;
  }
}

const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;

function readOffset(format: Intl.DateTimeFormat, time: number): number {
  const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes, seconds = '0'] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [];
  if (sign === undefined) return 0;
  const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * 1_000;
  return sign === '-' ? -size : size;
}
