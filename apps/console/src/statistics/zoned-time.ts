const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Maximum numbers of cached time zones, and of cached offsets per zone. A full cache is cleared. */
const MAX_CACHED_ZONES = 50;
const MAX_CACHED_OFFSETS = 2_000;

const zoneCache = new Map<string, ZonedTime>();

/**
 * Calculates when hours, days, weeks and months start in a time zone, accounting for clock changes. Weeks start on
 * Monday. Times are in milliseconds since the epoch.
 */
export class ZonedTime {
  /** Formats UTC offsets. Null for UTC itself. */
  private readonly format: Intl.DateTimeFormat | null;
  /** UTC offsets by time. Cached because `Intl` is slow and most charts need the same hours. */
  private readonly offsets = new Map<number, number>();

  private constructor(zone: string) {
    this.format = zone === 'UTC' ? null : new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  }

  /** @param zone IANA time zone name. */
  static forZone(zone: string): ZonedTime {
    const cached = zoneCache.get(zone);
    if (cached !== undefined) return cached;
    const created = new ZonedTime(zone);
    if (zoneCache.size >= MAX_CACHED_ZONES) zoneCache.clear();
    zoneCache.set(zone, created);
    return created;
  }

  /** Returns the offset from UTC at a time, in milliseconds. Positive if the zone is ahead of UTC. */
  offset(time: number): number {
    if (this.format === null) return 0;
    const cached = this.offsets.get(time);
    if (cached !== undefined) return cached;
    const offset = readOffset(this.format, time);
    if (this.offsets.size >= MAX_CACHED_OFFSETS) this.offsets.clear();
    this.offsets.set(time, offset);
    return offset;
  }

  startOfHour(time: number): number {
    return time - modulo(time + this.offset(time), HOUR_MS);
  }

  /** Returns the start of the next hour. Half-hour clock changes can make an hour shorter or longer than 60 minutes. */
  nextHour(time: number): number {
    return time + HOUR_MS - modulo(time + this.offset(time), HOUR_MS);
  }

  startOfDay(time: number): number {
    return this.startOfDayNumber(this.dayNumber(time));
  }

  /** Returns the start of the next day, usually 23 to 25 hours after the start of this one. */
  nextDay(time: number): number {
    return this.startOfDayNumber(this.dayNumber(time) + 1);
  }

  startOfWeek(time: number): number {
    return this.startOfDayNumber(this.mondayBefore(time));
  }

  nextWeek(time: number): number {
    return this.startOfDayNumber(this.mondayBefore(time) + 7);
  }

  startOfMonth(time: number): number {
    return this.startOfRelativeMonth(time, 0);
  }

  nextMonth(time: number): number {
    return this.startOfRelativeMonth(time, 1);
  }

  private mondayBefore(time: number): number {
    const day = this.dayNumber(time);
    // Day 0, 1970-01-01, was a Thursday.
    return day - modulo(day + 3, 7);
  }

  private startOfRelativeMonth(time: number, monthOffset: number): number {
    const date = new Date(this.dayNumber(time) * DAY_MS);
    date.setUTCMonth(date.getUTCMonth() + monthOffset, 1);
    return this.startOfDayNumber(date.getTime() / DAY_MS);
  }

  /** Returns the number of local calendar days since the epoch. */
  private dayNumber(time: number): number {
    return Math.floor((time + this.offset(time)) / DAY_MS);
  }

  /**
   * Returns the start of a local day, which isn't always midnight. If the zone skips the day, returns the start of the
   * next day.
   */
  private startOfDayNumber(day: number): number {
    const offset = this.offset(day * DAY_MS);
    const midnight = day * DAY_MS - offset;
    // Clocks didn't change shortly before midnight, so the day starts at midnight.
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
  const magnitudeMs = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * 1_000;
  return sign === '-' ? -magnitudeMs : magnitudeMs;
}
