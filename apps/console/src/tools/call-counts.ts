import { CALL_FAULTS, parseDimension, getClassDuration, type CallFault } from '#libs/contracts';

export interface SplitCount {
  parts: string[];
  visits: number;
}

/** Splits dimension values into their parts. Drops the empty value, which combines the values over the limit. */
export const splitCounts = (counts: readonly { value: string; visits: number }[]): SplitCount[] =>
  counts.filter(({ value }) => value !== '').map(({ value, visits }) => ({ parts: parseDimension(value), visits }));

/** A call's failure, with its error code if it has one. */
interface Fault {
  fault: CallFault;
  code: number | null;
}

/** Parses an outcome written by the ingest service, such as `protocol -32602`. Returns null for a successful call. */
export function parseOutcome(outcome: string): Fault | null {
  const [name, code] = outcome.split(' ');
  const fault = CALL_FAULTS.find((known) => known === name);
  return fault === undefined ? null : { fault, code: code === undefined ? null : Number(code) };
}

/** JSON-RPC error codes that servers return for unknown tools (“invalid params” and “method not found”). */
const REJECTION_CODES: ReadonlySet<number | null> = new Set([-32_602, -32_601]);

export const isRejection = (fault: Fault | null): boolean =>
  fault?.fault === 'protocol' && REJECTION_CODES.has(fault.code);

export class Durations {
  private readonly byClass = new Map<number, number>();
  calls = 0;

  add(index: number, calls: number): void {
    this.byClass.set(index, (this.byClass.get(index) ?? 0) + calls);
    this.calls += calls;
  }

  /**
   * Returns a percentile of the durations in milliseconds, or null if there were no calls. The duration classes limit
   * its precision.
   *
   * @param share Share of calls, from 0 to 1.
   */
  percentile(share: number): number | null {
    let seen = 0;
    for (const [index, calls] of [...this.byClass].toSorted(([one], [other]) => one - other)) {
      seen += calls;
      if (seen >= share * this.calls) return roundDuration(getClassDuration(index));
    }
    return null;
  }
}

/** Rounds to three digits, because duration classes aren't more precise. */
const roundDuration = (milliseconds: number): number => Number(milliseconds.toPrecision(3));
