const DAY_MS = 86_400_000;
const YEAR_MS = 365.25 * DAY_MS;

/** Release cycle: the first version, its release date and the number of days between versions. */
type ReleaseCycle = readonly [version: number, day: string, days: number];

/** From the official release calendars, latest first. Estimates for old versions are accurate to two months. */
const CHROME: readonly ReleaseCycle[] = [
  [94, '2021-09-21', 31],
  [5, '2010-05-25', 46.8],
];
const FIREFOX: readonly ReleaseCycle[] = [
  [72, '2020-01-07', 29.4],
  [5, '2011-06-21', 46.8],
];
const MSIE: readonly ReleaseCycle[] = [
  [10, '2012-10-26', 0],
  [9, '2011-03-14', 0],
  [8, '2009-03-19', 0],
  [7, '2006-10-18', 0],
  [0, '2001-08-24', 0],
];
/**
 * Trident versions, which Internet Explorer also reports in compatibility mode. The date of Trident 7 is its end of
 * support.
 */
const TRIDENT: readonly ReleaseCycle[] = [
  [7, '2022-06-15', 0],
  [6, '2012-10-26', 0],
  [5, '2011-03-14', 0],
  [0, '2009-03-19', 0],
];
/** Versions before Opera 15, which switched to Chromium. Each date is that of the version's last release. */
const OPERA: readonly ReleaseCycle[] = [
  [12, '2016-02-16', 0],
  [11, '2012-05-10', 0],
  [10, '2010-10-12', 0],
  [0, '2009-09-01', 0],
];
/**
 * WebKit versions, because Safari versions depend on the operating system. Each date is that of the version's last
 * release. All newer releases report 537.
 */
const WEBKIT: readonly ReleaseCycle[] = [
  [534, '2013-09-12', 0],
  [0, '2011-07-20', 0],
];

interface Browser {
  version: RegExp;
  releases: readonly ReleaseCycle[];
  sendsClientHints: boolean;
  /** Operating systems that this entry applies to. Default: all. */
  on?: RegExp;
}

/** Devices whose browser is never updated. */
const FROZEN_BROWSER_DEVICE =
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
  // Versions before 9.80. All later versions report 9.80.
  { version: /^Opera\/([1-9])\.(?!80\b)/, releases: OPERA, sendsClientHints: false },
  {
    version: /\bAppleWebKit\/([1-4]\d\d|5[0-2]\d|53[0-6])\b/,
    on: /^Mozilla\/5\.0 \((?:Macintosh|Windows)/,
    releases: WEBKIT,
    sendsClientHints: false,
  },
];
/** First Chrome version that sends the `Sec-CH-UA` header. */
const MIN_CLIENT_HINTS_VERSION = 89;

/** Returns true for TVs, game consoles, e-readers and other devices whose browser is never updated. */
export const hasFrozenBrowser = (userAgent: string): boolean => FROZEN_BROWSER_DEVICE.test(userAgent);

interface ClaimedBrowser {
  /** Returns the approximate age of the version in years. `at` is a time in milliseconds since the epoch. */
  ageInYears: (at: number) => number;
  /** Whether this version sends client hints over HTTPS. */
  sendsClientHints: boolean;
}

/**
 * Returns the browser that a user agent claims to be. Returns null if its age can't be determined, as for Safari since
 * 2013, or if the device's browser is never updated.
 */
export function parseClaimedBrowser(userAgent: string): ClaimedBrowser | null {
  if (hasFrozenBrowser(userAgent)) return null;
  for (const { version, releases, sendsClientHints, on } of BROWSERS) {
    const versionNumber = Number(version.exec(userAgent)?.[1] ?? Number.NaN);
    if (Number.isNaN(versionNumber) || on?.test(userAgent) === false) continue;
    const [firstVersion, releaseDate, days] = releases.find(([from]) => versionNumber >= from) ?? releases.at(-1)!;
    const releaseTime = Date.parse(releaseDate) + Math.max(0, versionNumber - firstVersion) * days * DAY_MS;
    return {
      ageInYears: (at) => (at - releaseTime) / YEAR_MS,
      sendsClientHints: sendsClientHints && versionNumber >= MIN_CLIENT_HINTS_VERSION,
    };
  }
  return null;
}
