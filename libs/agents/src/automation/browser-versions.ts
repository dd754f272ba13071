/**
 * Date of the version tables below. Later versions may grow by {@link GROWTH_PER_YEAR}, which exceeds all release
 * calendars. So outdated tables cause no false positives.
 */
const KNOWN_AS_OF = Date.parse('2026-11-28T00:00:00Z');

/** Branch number (`BUILD` in `MAJOR.0.BUILD.PATCH`) of each Chrome version from 30 on. 82 was never released. */
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

/** Highest allowed versions at {@link KNOWN_AS_OF}, with a margin of about a year, and the maximum growth per year. */
const LATEST = { chrome: 180, firefox: 182, apple: 29, android: 19 };
const GROWTH_PER_YEAR = { chrome: 52, firefox: 52, apple: 2, android: 2 };
/** Maximum number of trunk builds between two versions. */
const MAX_BUILDS_BETWEEN = 150;
/**
 * Since version 96, a flag makes Chrome report version 100 with its actual build, to test sites with three-digit
 * versions.
 */
const FORCED_VERSION = 100;
const FIRST_FORCING_VERSION = 96;
const OWN_BUILD = 9_999;
const YEAR_MS = 365.25 * 86_400_000;

/** Apple's versions jumped from 18 to 26. Apps built for earlier systems report 19 on iOS 26. */
const APPLE_GAP = [20, 25] as const;

/** Versions of Windows NT. Windows 7, 8 and 8.1 are 6.1 to 6.3. Windows 11 is 10.0. */
export const WINDOWS_NT: ReadonlySet<string> = new Set(
  '3.1 3.5 3.51 4.0 5.0 5.01 5.1 5.2 6.0 6.1 6.2 6.3 6.4 10.0'.split(' '),
);

type Product = keyof typeof LATEST;

/** Returns whether a version could have been released by then. @param at Time in milliseconds since the epoch. */
export function canExist(product: Product, version: number, at: number): boolean {
  if (product === 'apple' && version >= APPLE_GAP[0] && version <= APPLE_GAP[1]) return false;
  const years = Math.max(0, at - KNOWN_AS_OF) / YEAR_MS;
  return version <= LATEST[product] + years * GROWTH_PER_YEAR[product];
}

/**
 * Returns whether a Chrome version could have this build. Builds come from trunk between two branches, so they are
 * close to their version's branch. Browsers since 2022 report build 0. Custom builds report 9999.
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
