import { formatDimension, UNLISTED_DIMENSION, type EnrichedVisit } from '#libs/contracts';
import type { Dimension } from '#libs/visit-store';
import { NO_DIMENSIONS } from './dimension.js';

/** Returns a dimension with the verdict, User-Agent group and signs of an unknown visitor that may be a program. */
export function unlistedDimensions({ automation }: EnrichedVisit): readonly Dimension[] {
  if (automation?.user_agent_group === undefined) return NO_DIMENSIONS;
  const { verdict, user_agent_group: group, signs } = automation;
  return [[UNLISTED_DIMENSION, formatDimension(verdict, group, ...signs)]];
}
