import type { RequestedFormat, ResponseFormat, VisitKind } from '#libs/contracts';
import type { Dimension } from '#libs/visit-store';

/** Shared empty result: most visits have no dimensions in most reports. */
export const NO_DIMENSIONS: readonly Dimension[] = [];

/** Values that are used by both a visit's row and its dimensions, so that they're only computed once. */
export interface VisitContext {
  /** Path without the query string, truncated. */
  path: string;
  /** Page under which the path is counted. */
  page: string;
  kinds: readonly VisitKind[];
  /** The site asked for a payment, or the agent offered one. */
  isPayment: boolean;
  requestedFormat: RequestedFormat;
  responseFormat: ResponseFormat;
}
