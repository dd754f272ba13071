import { CALL_FAULTS, dimensionParts, durationOfClass, type CallFault } from '#libs/contracts';

/** A value of several parts, and how often it was counted. */
export interface PartsCount {
  parts: string[];
  visits: number;
}

/** Takes the values of a dimension apart, without those beyond its bound. */
export const partsCounts = (counts: readonly { value: string; visits: number }[]): PartsCount[] =>
  counts.filter(({ value }) => value !== '').map(({ value, visits }) => ({ parts: dimensionParts(value), visits }));

/** What failed in a call; null where it was answered. */
interface Fault {
  fault: CallFault;
  code: number | null;
}

/** Reads an outcome as ingest writes it, such as `protocol -32602`. */
export function faultOf(outcome: string): Fault | null {
  const [name, code] = outcome.split(' ');
  const fault = CALL_FAULTS.find((known) => known === name);
  return fault === undefined ? null : { fault, code: code === undefined ? null : Number(code) };
}

/** JSON-RPC's codes with which servers refuse a tool that they don't have: "invalid params", and "method not found". */
const REFUSALS: ReadonlySet<number | null> = new Set([-32_602, -32_601]);

export const isRefusal = (fault: Fault | null): boolean => fault?.fault === 'protocol' && REFUSALS.has(fault.code);

/** Calls of a tool by the class of their duration. */
export class Durations {
  private readonly byClass = new Map<number, number>();
  calls = 0;

  add(index: number, calls: number): void {
    this.byClass.set(index, (this.byClass.get(index) ?? 0) + calls);
    this.calls += calls;
  }

  /** The duration in milliseconds that a share of the calls did not exceed, to the precision of the classes. */
  percentile(share: number): number | null {
    let seen = 0;
    for (const [index, calls] of [...this.byClass].toSorted(([one], [other]) => one - other)) {
      seen += calls;
      if (seen >= share * this.calls) return rounded(durationOfClass(index));
    }
    return null;
  }
}

/** More digits would promise more than is known. */
const rounded = (milliseconds: number): number => Number(milliseconds.toPrecision(3));
