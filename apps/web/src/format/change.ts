export {
  formatChange,
  formatChangeOfFew,
  formatPercent,
  hasEarlierData,
  NEGLIGIBLE_CHANGE,
  NO_CHANGE,
  NO_EARLIER_DATA,
} from '#libs/contracts/change';

/** Ratio at which the previous count becomes negligible. */
const MAX_RATIO = 100;

/** Returns true if the previous count is too small for a meaningful comparison. */
export const isNegligible = (current: number, previous: number): boolean =>
  previous === 0 || current / previous >= MAX_RATIO;
