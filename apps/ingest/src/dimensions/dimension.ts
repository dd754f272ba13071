import type { VisitKind } from '#libs/contracts';
import type { Dimension } from '#libs/visit-store';

/** Shared empty result: most visits have no dimensions in most reports. */
export const NO_DIMENSIONS: readonly Dimension[] = [];

/** Values that are used by both a visit's row and its dimensions, so that they're only computed once. */
export interface VisitContext {
  /** Path without the query string. */
  page: string;
  kinds: readonly VisitKind[];
}
