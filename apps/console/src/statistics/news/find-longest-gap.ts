interface Gap {
  /** Index of the first item without visits. */
  first: number;
  /** Index after the last item without visits. */
  end: number;
}

/** Returns the longest run of items without visits that is followed by visits, or null if it's shorter than `minLength`. */
export function findLongestGap(visits: readonly number[], minLength: number): Gap | null {
  let longest: Gap | null = null;
  let first = 0;
  for (const [index, count] of visits.entries()) {
    if (count === 0) continue;
    const longestLength = longest === null ? minLength - 1 : longest.end - longest.first;
    if (index - first > longestLength) longest = { first, end: index };
    first = index + 1;
  }
  return longest;
}
