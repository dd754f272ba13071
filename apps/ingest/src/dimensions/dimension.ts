import type { VisitKind } from '#libs/contracts';
import type { Dimension } from '#libs/visit-store';

/** As most visits have them for most reports. */
export const NO_DIMENSIONS: readonly Dimension[] = [];

/** What the row of a visit has, too, so that it is found out once. */
export interface KnownOfVisit {
  /** The path without its query. */
  page: string;
  kinds: readonly VisitKind[];
}
