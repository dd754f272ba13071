import type { EnrichedVisit } from '#libs/contracts';
import type { Dimension } from '#libs/visit-store';
import { agentFileDimensions } from './dimensions/agent-files.js';
import { formatDimensions } from './dimensions/formats.js';
import { complianceDimensions } from './dimensions/compliance.js';
import { NO_DIMENSIONS, type VisitContext } from './dimensions/dimension.js';
import { crawlDimensions, referralDimensions } from './dimensions/referrals.js';
import { toolDimensions } from './dimensions/tools.js';
import { unlistedDimensions } from './dimensions/unlisted-agents.js';

const REPORTS: readonly ((visit: EnrichedVisit, context: VisitContext) => readonly Dimension[])[] = [
  complianceDimensions,
  agentFileDimensions,
  formatDimensions,
  referralDimensions,
  crawlDimensions,
  toolDimensions,
  unlistedDimensions,
];

export function getDimensions(visit: EnrichedVisit, context: VisitContext): readonly Dimension[] {
  let result = NO_DIMENSIONS;
  for (const report of REPORTS) {
    const dimensions = report(visit, context);
    if (dimensions.length > 0) result = result.length === 0 ? dimensions : [...result, ...dimensions];
  }
  return result;
}
