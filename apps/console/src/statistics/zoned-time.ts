const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** When hours and days begin in a time zone, also where clocks are put forward or back. Milliseconds since the epoch. */
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
    const size = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * 1_000;
    return sign === '-' ? -size : size;
  }

  startOfHour(time: number): number {
    return time - modulo(time + this.offset(time), HOUR);
  }

  /** A clock that is put forward or back by half an hour makes one that is shorter or longer. */
  nextHour(time: number): number {
    return time + HOUR - modulo(time + this.offset(time), HOUR);
  }

  startOfDay(time: number): number {
    return this.firstOfDay(this.dayNumber(time), time - 26 * HOUR, time);
  }

  /** 23 to 25 hours after the start of a day, as a rule. */
  nextDay(time: number): number {
    const ahead = time + DAY - modulo(time + this.offset(time), DAY);
    // Where the clock is the same, there is midnight.
    if (this.offset(ahead) === this.offset(time)) return ahead;
    return this.firstOfDay(this.dayNumber(time) + 1, time, time + 26 * HOUR);
  }

  /** Days since the epoch, as the calendar on the wall says. */
  private dayNumber(time: number): number {
    return Math.floor((time + this.offset(time)) / DAY);
  }

  /** The first minute of a day (midnight may be left out): before it is `below`, and not before it `above`. */
  private firstOfDay(day: number, below: number, above: number): number {
    let [before, after] = [Math.floor(below / MINUTE), Math.floor(above / MINUTE)];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.dayNumber(middle * MINUTE) >= day) after = middle;
      else before = middle;
    }
    return after * MINUTE;
  }
}

const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor;
