import type { VisitKind } from './visit.schema.js';

/** Bits in the `kinds` column. A visit can have several kinds. */
const VISIT_KIND_BITS: Record<VisitKind, number> = { page: 1, mcp: 2, acp: 4, ucp: 8 };

/** Returns the bit mask for the `kinds` column. */
export function toKindBits(kinds: readonly VisitKind[]): number {
  return kinds.reduce((bits, kind) => bits | VISIT_KIND_BITS[kind], 0);
}
