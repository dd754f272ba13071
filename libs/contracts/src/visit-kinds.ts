import type { VisitKind } from './visit.schema.js';

/** Bits of the `kinds` column. A visit can have several kinds. */
const VISIT_KIND_BITS: Record<VisitKind, number> = { page: 1, mcp: 2, acp: 4, ucp: 8 };

/** Returns the kinds as a bit mask. */
export function kindBits(kinds: readonly VisitKind[]): number {
  return kinds.reduce((bits, kind) => bits | VISIT_KIND_BITS[kind], 0);
}
