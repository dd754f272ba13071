const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Cache limits: number of zones, and number of offsets per zone. */
const MAX_ZONES = 50;
const MAX_OFFSETS = 2_000;

const zones = new Map<string, ZonedTime>();

/**
 * Calculates when hours, days, weeks (from Monday) and months begin in a time zone, including clock changes. Times are
 * in milliseconds since the epoch.
 */
export class ZonedTime {
  /** Null for UTC. */
  private readonly format: Intl.DateTimeFormat | null;
  /** Offsets by time. Cached because `Intl` is slow, and most charts need the same hours. */
  private readonly offsets = new Map<number, number>();

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

  /** Returns the offset from UTC at a time, in milliseconds. Positive if the zone is ahead of UTC. */
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

  /** Returns the start of the next hour. If clocks change by half an hour, it can be less or more than an hour away. */
  nextHour(time: number): number {
    return time + HOUR_MS - modulo(time + this.offset(time), HOUR_MS);
  }

  startOfDay(time: number): number {
    return this.firstOfDay(this.dayNumber(time));
  }

  /** Returns the start of the next day, usually 23 to 25 hours after the start of this one. */
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

  private firstOfMonth(time: number, later: number): number {
    const date = new Date(this.dayNumber(time) * DAY_MS);
    date.setUTCMonth(date.getUTCMonth() + later, 1);
    return this.firstOfDay(date.getTime() / DAY_MS);
  }

  /** Returns the number of days since the epoch in the local calendar. */
  private dayNumber(time: number): number {
    return Math.floor((time + this.offset(time)) / DAY_MS);
  }

  /**
   * Returns the start of a local day, which isn't always midnight. If the zone skips the day, returns the start of the
   * next one.
   */
  private firstOfDay(day: number): number {
    const offset = this.offset(day * DAY_MS);
    const midnight = day * DAY_MS - offset;
    // Clocks didn't change shortly before, so the day starts here.
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
