import type { ChangeCause } from '#libs/contracts';
import type { FilterSet } from '../filters/filter-set.js';

export { describeCauses } from '#libs/contracts/change-causes';

/** Returns filters for the visits that explain a change. */
export function toCauseFilters(causes: readonly ChangeCause[] | null): FilterSet {
  const network = causes?.find(({ dimension }) => dimension === 'network');
  return network === undefined ? {} : { address: [network.value] };
}
