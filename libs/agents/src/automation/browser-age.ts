const DAY_MS = 86_400_000;
const YEAR_MS = 365.25 * DAY_MS;

/** Regular releases: the first version, its release date, and the days between versions. */
type Releases = readonly [version: number, day: string, days: number];

/** Latest first, from the official release calendars. Accurate to two months for versions that are years old. */
const CHROME: readonly Releases[] = [
  [94, '2021-09-21', 31],
  [5, '2010-05-25', 46.8],
];
const FIREFOX: readonly Releases[] = [
  [72, '2020-01-07', 29.4],
  [5, '2011-06-21', 46.8],
];
const MSIE: readonly Releases[] = [
  [10, '2012-10-26', 0],
  [9, '2011-03-14', 0],
  [8, '2009-03-19', 0],
  [7, '2006-10-18', 0],
  [0, '2001-08-24', 0],
];
/**
 * Versions by engine, which Internet Explorer also reports in compatibility mode. Trident 7 is dated by its end of
 * support.
 */
const TRIDENT: readonly Releases[] = [
  [7, '2022-06-15', 0],
  [6, '2012-10-26', 0],
  [5, '2011-03-14', 0],
  [0, '2009-03-19', 0],
];
/** Each with the date of its last release. Versions from 15 on contain `Chrome` instead. */
const OPERA: readonly Releases[] = [
  [12, '2016-02-16', 0],
  [11, '2012-05-10', 0],
  [10, '2010-10-12', 0],
  [0, '2009-09-01', 0],
];
/**
 * Versions by engine, because Safari's own version depends on the system. The engine stays at 537. Each with the date
 * of its last release.
 */
const WEBKIT: readonly Releases[] = [
  [534, '2013-09-12', 0],
  [0, '2011-07-20', 0],
];

interface Browser {
  version: RegExp;
  releases: readonly Releases[];
  sendsClientHints: boolean;
  /** Systems that the entry applies to. Default: all. */
  on?: RegExp;
}

/** Devices that keep the browser they were sold with. */
const DEVICE =
  /TV|Web0S|webOS|Tizen|NetCast|BRAVIA|BrightSign|Viera|CrKey|\bOMI\/|Xbox|PlayStation|Nintendo|Kindle|Nook|Kobo|Silk|KAIOS|IEMobile|Windows Phone|Oculus|Glass/i;

const BROWSERS: readonly Browser[] = [
  { version: /\bTrident\/(\d)/, releases: TRIDENT, sendsClientHints: false },
  { version: /\bMSIE (\d{1,2})/, releases: MSIE, sendsClientHints: false },
  { version: /\bChrome\/(\d{1,4})/, releases: CHROME, sendsClientHints: true },
  { version: /\bFirefox\/(\d{1,4})/, releases: FIREFOX, sendsClientHints: false },
  {
    version: /^Opera\/9\.80 .*Version\/(\d{2})\b/,
    on: /^Opera\/9\.80 \((?:Windows|Macintosh|X11)/,
    releases: OPERA,
    sendsClientHints: false,
  },
  // Versions before 9.80. All later ones report 9.80.
  { version: /^Opera\/([1-9])\.(?!80\b)/, releases: OPERA, sendsClientHints: false },
  {
    version: /\bAppleWebKit\/([1-4]\d\d|5[0-2]\d|53[0-6])\b/,
    on: /^Mozilla\/5\.0 \((?:Macintosh|Windows)/,
    releases: WEBKIT,
    sendsClientHints: false,
  },
];
/** First Chrome version that sends `Sec-CH-UA`. */
const FIRST_WITH_CLIENT_HINTS = 89;

/**
 * Returns whether a user agent belongs to a TV, a console, an e-reader or another device that keeps its first browser.
 */
export const isDevice = (userAgent: string): boolean => DEVICE.test(userAgent);

interface ClaimedBrowser {
  /** Returns the approximate age of the version in years. `at` is in milliseconds since the epoch. */
  ageInYears: (at: number) => number;
  /** Whether this version sends client hints, at least over HTTPS. */
  sendsClientHints: boolean;
}

/**
 * Returns the claimed browser. Returns null if its version doesn't reveal its age, e.g. for Safari since 2013, or if it
 * runs on a device that keeps its first browser.
 */
export function claimedBrowser(userAgent: string): ClaimedBrowser | null {
  if (isDevice(userAgent)) return null;
  for (const { version, releases, sendsClientHints, on } of BROWSERS) {
    const number = Number(version.exec(userAgent)?.[1] ?? Number.NaN);
    if (Number.isNaN(number) || on?.test(userAgent) === false) continue;
    const [first, day, days] = releases.find(([from]) => number >= from) ?? releases.at(-1)!;
    const released = Date.parse(day) + Math.max(0, number - first) * days * DAY_MS;
    return {
      ageInYears: (at) => (at - released) / YEAR_MS,
      sendsClientHints: sendsClientHints && number >= FIRST_WITH_CLIENT_HINTS,
    };
  }
  return null;
}
