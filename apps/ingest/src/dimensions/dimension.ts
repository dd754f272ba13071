import type { VisitKind } from '#libs/contracts';

/** What a visit is counted by beside its agent, page and status: the name of a dimension, and the value in it. */
export type Dimension = readonly [name: string, value: string];

/** As most visits have them for most reports. */
export const NO_DIMENSIONS: readonly Dimension[] = [];

/** What the row of a visit has, too, so that it is found out once. */
export interface KnownOfVisit {
  /** The path without its query. */
  page: string;
  kinds: readonly VisitKind[];
}
