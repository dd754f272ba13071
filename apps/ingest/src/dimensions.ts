import type { EnrichedVisit } from '#libs/contracts';
import { complianceDimensions } from './dimensions/compliance.js';
import type { Dimension, KnownOfVisit } from './dimensions/dimension.js';
import { crawlDimensions, referralDimensions } from './dimensions/referrals.js';
import { toolDimensions } from './dimensions/tools.js';
import { unlistedDimensions } from './dimensions/unlisted.js';

export type { Dimension } from './dimensions/dimension.js';

/** One for each report. Their visits are counted where these are stored, and summed up by day. */
const REPORTS: readonly ((visit: EnrichedVisit, known: KnownOfVisit) => readonly Dimension[])[] = [
  complianceDimensions,
  referralDimensions,
  crawlDimensions,
  toolDimensions,
  unlistedDimensions,
];

/** Returns what a visit is counted by. */
export const dimensionsOf = (visit: EnrichedVisit, known: KnownOfVisit): Dimension[] =>
  REPORTS.flatMap((report) => report(visit, known));
