import type { VisitKind } from '#libs/contracts';
import type { Dimension } from '#libs/visit-store';

/** Shared empty result. Most visits have no dimensions for most reports. */
export const NO_DIMENSIONS: readonly Dimension[] = [];

/** Values that the row of a visit contains, too. They are computed once for both. */
export interface KnownOfVisit {
  /** Path without its query. */
  page: string;
  kinds: readonly VisitKind[];
}
