/**
 * Returns the maximum number of visits to read per day, so that no more than a total are read. Days with fewer visits
 * leave more for the others.
 *
 * @param counts Number of visits on each day.
 */
export function limitPerDay(counts: readonly number[], total: number): number {
  let rest = total;
  const sorted = counts.toSorted((one, other) => one - other);
  for (const [index, count] of sorted.entries()) {
    const share = Math.floor(rest / (sorted.length - index));
    if (count > share) return share;
    rest -= count;
  }
  return total;
}
