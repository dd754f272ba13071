import type { ChangeCause } from '#libs/contracts';
import { describeCauses } from '#libs/contracts/change-causes';
import type { FilterSet } from '../filters/filter-set.js';

export { describeCauses };

/** Describes what explains a change, or that nothing in particular does. Null if the causes weren't determined. */
export const describeCausesOrSpread = (causes: readonly ChangeCause[] | null): string | null =>
  causes === null ? null : (describeCauses(causes) ?? 'spread across all its addresses');

/** Returns filters for the visits that explain a change. */
export function toCauseFilters(causes: readonly ChangeCause[] | null): FilterSet {
  const network = causes?.find(({ dimension }) => dimension === 'network');
  return network === undefined ? {} : { address: [network.value] };
}
