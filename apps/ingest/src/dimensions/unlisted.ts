import { dimensionValue, UNLISTED_DIMENSION, type EnrichedVisit } from '#libs/contracts';
import type { Dimension } from '#libs/visit-store';
import { NO_DIMENSIONS } from './dimension.js';

/**
 * Returns the dimension of an unknown visitor that may be a program: the verdict, the user agent without versions, and
 * the signs.
 */
export function unlistedDimensions({ automation }: EnrichedVisit): readonly Dimension[] {
  if (automation?.user_agent_group === undefined) return NO_DIMENSIONS;
  const { verdict, user_agent_group: group, signs } = automation;
  return [[UNLISTED_DIMENSION, dimensionValue(verdict, group, ...signs)]];
}
