import { CALL_FAULTS, dimensionParts, durationOfClass, type CallFault } from '#libs/contracts';

/** Count of a dimension value that has several parts. */
export interface PartsCount {
  parts: string[];
  visits: number;
}

/** Splits dimension values into their parts. Leaves out values over the limit, which are counted together. */
export const partsCounts = (counts: readonly { value: string; visits: number }[]): PartsCount[] =>
  counts.filter(({ value }) => value !== '').map(({ value, visits }) => ({ parts: dimensionParts(value), visits }));

/** Failure of a call, with the error code if there is one. */
interface Fault {
  fault: CallFault;
  code: number | null;
}

/** Parses an outcome written by ingest, such as `protocol -32602`. Returns null for a successful call. */
export function faultOf(outcome: string): Fault | null {
  const [name, code] = outcome.split(' ');
  const fault = CALL_FAULTS.find((known) => known === name);
  return fault === undefined ? null : { fault, code: code === undefined ? null : Number(code) };
}

/** JSON-RPC error codes that servers return for unknown tools: "invalid params" and "method not found". */
const REFUSALS: ReadonlySet<number | null> = new Set([-32_602, -32_601]);

export const isRefusal = (fault: Fault | null): boolean => fault?.fault === 'protocol' && REFUSALS.has(fault.code);

export class Durations {
  private readonly byClass = new Map<number, number>();
  calls = 0;

  add(index: number, calls: number): void {
    this.byClass.set(index, (this.byClass.get(index) ?? 0) + calls);
    this.calls += calls;
  }

  /**
   * Returns a percentile of the durations in milliseconds, or null without calls. Its precision is limited by the
   * classes.
   *
   * @param share share of calls, from 0 to 1.
   */
  percentile(share: number): number | null {
    let seen = 0;
    for (const [index, calls] of [...this.byClass].toSorted(([one], [other]) => one - other)) {
      seen += calls;
      if (seen >= share * this.calls) return rounded(durationOfClass(index));
    }
    return null;
  }
}

/** Durations aren't known more precisely. */
const rounded = (milliseconds: number): number => Number(milliseconds.toPrecision(3));
