/**
 * Date of the version tables below. After this date, versions may grow by {@link GROWTH_PER_YEAR}. That is faster than
 * any vendor releases them, so outdated tables never cause false positives.
 */
const TABLES_DATE_MS = Date.parse('2026-11-28T00:00:00Z');

/** Branch number (`BUILD` in `MAJOR.0.BUILD.PATCH`) of each Chrome version since 30. Chrome 82 was never released. */
const FIRST_BRANCH_VERSION = 30;
const BRANCH_NUMBERS: readonly number[] = [
  1599, 1650, 1700, 1750, 1847, 1916, 1985, 2062, 2125, 2171, 2214, 2272, 2311, 2357, 2403, 2454, 2490, 2526, 2564,
  2623, 2661, 2704, 2743, 2785, 2840, 2883, 2924, 2987, 3029, 3071, 3112, 3163, 3202, 3239, 3282, 3325, 3359, 3396,
  3440, 3497, 3538, 3578, 3626, 3683, 3729, 3770, 3809, 3865, 3904, 3945, 3987, 4044, 4085, 4103, 4147, 4183, 4240,
  4280, 4324, 4389, 4430, 4472, 4515, 4577, 4606, 4638, 4664, 4692, 4758, 4844, 4896, 4951, 5005, 5060, 5112, 5195,
  5249, 5304, 5359, 5414, 5481, 5563, 5615, 5672, 5735, 5790, 5845, 5938, 5993, 6045, 6099, 6167, 6261, 6312, 6367,
  6422, 6478, 6533, 6613, 6668, 6723, 6778, 6834, 6943, 6998, 7049, 7103, 7151, 7204, 7258, 7339, 7390, 7444, 7499,
  7559, 7632, 7680, 7727, 7778, 7827, 7871, 7922, 7977, 8010, 8037,
];

/** Maximum versions at {@link TABLES_DATE_MS}, with a margin of about a year, and their maximum growth per year. */
const MAX_VERSIONS = { chrome: 180, firefox: 182, apple: 29, android: 19 };
const GROWTH_PER_YEAR = { chrome: 52, firefox: 52, apple: 2, android: 2 };
/** Maximum number of builds on the main branch between two versions. */
const MAX_BUILDS_PER_VERSION = 150;
/**
 * Since version 96, Chrome has a flag to test sites with three-digit versions. It reports version 100 with the actual
 * build number.
 */
const FORCED_VERSION = 100;
const MIN_VERSION_WITH_FLAG = 96;
const CUSTOM_BUILD = 9_999;
const YEAR_MS = 365.25 * 86_400_000;

/** Apple's versions jumped from 18 to 26. Apps built for earlier systems report version 19 on iOS 26. */
const APPLE_GAP = [20, 25] as const;

/** Windows NT versions. Windows 7, 8 and 8.1 report 6.1, 6.2 and 6.3. Windows 11 reports 10.0. */
export const WINDOWS_NT_VERSIONS: ReadonlySet<string> = new Set(
  '3.1 3.5 3.51 4.0 5.0 5.01 5.1 5.2 6.0 6.1 6.2 6.3 6.4 10.0'.split(' '),
);

type Product = keyof typeof MAX_VERSIONS;

/**
 * Returns true if a version could have been released by the given time.
 *
 * @param at Time in milliseconds since the epoch.
 */
export function canExist(product: Product, version: number, at: number): boolean {
  if (product === 'apple' && version >= APPLE_GAP[0] && version <= APPLE_GAP[1]) return false;
  const years = Math.max(0, at - TABLES_DATE_MS) / YEAR_MS;
  return version <= MAX_VERSIONS[product] + years * GROWTH_PER_YEAR[product];
}

/**
 * Returns true if a Chrome version could have this build number. Builds are numbered continuously on the main branch,
 * so they are close to their version's branch number. Browsers have reported build 0 since 2022. Custom builds report
 * 9999.
 */
export function isChromeBuild(version: number, build: number): boolean {
  if (build === 0 || build === CUSTOM_BUILD || version < FIRST_BRANCH_VERSION + 2) return true;
  const index = version - FIRST_BRANCH_VERSION;
  const lastIndex = BRANCH_NUMBERS.length - 1;
  const latestBranch = BRANCH_NUMBERS[lastIndex]!;
  const firstIndex = version === FORCED_VERSION ? MIN_VERSION_WITH_FLAG - FIRST_BRANCH_VERSION : index;
  const lowest = BRANCH_NUMBERS[firstIndex - 2] ?? latestBranch;
  const highest = BRANCH_NUMBERS[index + 3] ?? latestBranch + (index + 3 - lastIndex) * MAX_BUILDS_PER_VERSION;
  return build > lowest && build <= highest;
}
