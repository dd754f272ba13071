const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Tells when hours and days begin in a time zone, even when clocks change. Times are milliseconds since the epoch. */
export class ZonedTime {
  private readonly format: Intl.DateTimeFormat;

  /** @param zone IANA time zone. */
  constructor(zone: string) {
    this.format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  }

  /** Milliseconds that the zone is ahead of UTC at this time. */
  offset(time: number): number {
    const name = this.format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes, seconds = '0'] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [];
    if (sign === undefined) return 0;
    const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * 1_000;
    return sign === '-' ? -size : size;
  }

  startOfHour(time: number): number {
    return time - modulo(time + this.offset(time), HOUR_MS);
  }

  /** An hour is shorter or longer where clocks change by half an hour. */
  nextHour(time: number): number {
    return time + HOUR_MS - modulo(time + this.offset(time), HOUR_MS);
  }

  startOfDay(time: number): number {
    return this.firstOfDay(this.dayNumber(time), time - 26 * HOUR_MS, time);
  }

  /** Usually 23 to 25 hours after the start of a day. */
  nextDay(time: number): number {
    const ahead = time + DAY_MS - modulo(time + this.offset(time), DAY_MS);
    // Without a change of clocks the day ends at midnight.
    if (this.offset(ahead) === this.offset(time)) return ahead;
    return this.firstOfDay(this.dayNumber(time) + 1, time, time + 26 * HOUR_MS);
  }

  /** Days since the epoch by the local calendar. */
  private dayNumber(time: number): number {
    return Math.floor((time + this.offset(time)) / DAY_MS);
  }

  /** Finds the first minute of a day, which need not be midnight: it lies after `below`, and not after `above`. */
  private firstOfDay(day: number, below: number, above: number): number {
    let [before, after] = [Math.floor(below / MINUTE_MS), Math.floor(above / MINUTE_MS)];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.dayNumber(middle * MINUTE_MS) >= day) after = middle;
      else before = middle;
    }
    return after * MINUTE_MS;
  }
}

const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;
