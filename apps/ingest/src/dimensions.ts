import type { EnrichedVisit } from '#libs/contracts';
import type { Dimension } from '#libs/visit-store';
import { complianceDimensions } from './dimensions/compliance.js';
import { NO_DIMENSIONS, type KnownOfVisit } from './dimensions/dimension.js';
import { crawlDimensions, referralDimensions } from './dimensions/referrals.js';
import { toolDimensions } from './dimensions/tools.js';
import { unlistedDimensions } from './dimensions/unlisted.js';

const REPORTS: readonly ((visit: EnrichedVisit, known: KnownOfVisit) => readonly Dimension[])[] = [
  complianceDimensions,
  referralDimensions,
  crawlDimensions,
  toolDimensions,
  unlistedDimensions,
];

export function dimensionsOf(visit: EnrichedVisit, known: KnownOfVisit): readonly Dimension[] {
  let all = NO_DIMENSIONS;
  for (const report of REPORTS) {
    const dimensions = report(visit, known);
    if (dimensions.length > 0) all = all.length === 0 ? dimensions : [...all, ...dimensions];
  }
  return all;
}
