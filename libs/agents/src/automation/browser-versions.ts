/**
 * Versions that browsers and systems have had. Whatever is newer than these tables is allowed to have grown at
 * {@link GROWTH_PER_YEAR}, faster than any release calendar, so tables that age accuse nobody.
 */
const KNOWN_AS_OF = Date.parse('2026-11-28T00:00:00Z');

/** Number of the branch (`BUILD` in `MAJOR.0.BUILD.PATCH`) of each version of Chrome from 30 on; 82 was skipped. */
const FIRST_BRANCH_VERSION = 30;
const BRANCHES: readonly number[] = [
  1599, 1650, 1700, 1750, 1847, 1916, 1985, 2062, 2125, 2171, 2214, 2272, 2311, 2357, 2403, 2454, 2490, 2526, 2564,
  2623, 2661, 2704, 2743, 2785, 2840, 2883, 2924, 2987, 3029, 3071, 3112, 3163, 3202, 3239, 3282, 3325, 3359, 3396,
  3440, 3497, 3538, 3578, 3626, 3683, 3729, 3770, 3809, 3865, 3904, 3945, 3987, 4044, 4085, 4103, 4147, 4183, 4240,
  4280, 4324, 4389, 4430, 4472, 4515, 4577, 4606, 4638, 4664, 4692, 4758, 4844, 4896, 4951, 5005, 5060, 5112, 5195,
  5249, 5304, 5359, 5414, 5481, 5563, 5615, 5672, 5735, 5790, 5845, 5938, 5993, 6045, 6099, 6167, 6261, 6312, 6367,
  6422, 6478, 6533, 6613, 6668, 6723, 6778, 6834, 6943, 6998, 7049, 7103, 7151, 7204, 7258, 7339, 7390, 7444, 7499,
  7559, 7632, 7680, 7727, 7778, 7827, 7871, 7922, 7977, 8010, 8037,
];

/** Versions that are allowed at {@link KNOWN_AS_OF}: a year more than there were, and the most that come in a year. */
const LATEST = { chrome: 180, firefox: 182, apple: 29, android: 19 };
const GROWTH_PER_YEAR = { chrome: 52, firefox: 52, apple: 2, android: 2 };
/** Trunk had no more than this many builds between two versions. */
const MAX_BUILDS_BETWEEN = 150;
/** From 96 on, a flag let people send this version with the build of their own, to test sites with three digits. */
const FORCED_VERSION = 100;
const FIRST_FORCING_VERSION = 96;
const OWN_BUILD = 9_999;
const YEAR_MS = 365.25 * 86_400_000;

/** Apple went from 18 to 26. Apps that were built for earlier ones say 19 on iOS 26. */
const APPLE_GAP = [20, 25] as const;

/** Versions of Windows NT; 7, 8 and 8.1 are 6.1 to 6.3, and 11 is 10.0. */
export const WINDOWS_NT: ReadonlySet<string> = new Set(
  '3.1 3.5 3.51 4.0 5.0 5.01 5.1 5.2 6.0 6.1 6.2 6.3 6.4 10.0'.split(' '),
);

type Product = keyof typeof LATEST;

/** Whether a version can have been released. @param at in milliseconds since the epoch. */
export function canExist(product: Product, version: number, at: number): boolean {
  if (product === 'apple' && version >= APPLE_GAP[0] && version <= APPLE_GAP[1]) return false;
  const years = Math.max(0, at - KNOWN_AS_OF) / YEAR_MS;
  return version <= LATEST[product] + years * GROWTH_PER_YEAR[product];
}

/**
 * Whether a version of Chrome can have this build. Builds come from trunk between two branches, so they lie near the branch
 * of their version; browsers since 2022 have 0, and builds of one's own 9999.
 */
export function isChromeBuild(version: number, build: number): boolean {
  if (build === 0 || build === OWN_BUILD || version < FIRST_BRANCH_VERSION + 2) return true;
  const index = version - FIRST_BRANCH_VERSION;
  const last = BRANCHES.length - 1;
  const latest = BRANCHES[last]!;
  const first = version === FORCED_VERSION ? FIRST_FORCING_VERSION - FIRST_BRANCH_VERSION : index;
  const lowest = BRANCHES[first - 2] ?? latest;
  const highest = BRANCHES[index + 3] ?? latest + (index + 3 - last) * MAX_BUILDS_BETWEEN;
  return build > lowest && build <= highest;
}
