/** What a user agent says that client hints can contradict. */
export interface UserAgentClaim {
  /** Version of Chrome; null for none. */
  chrome: number | null;
  /** Whether it is of a browser with an engine that sends no client hints. */
  hasOtherEngine: boolean;
  system: System | null;
  isMobile: boolean;
}

type System = 'Windows' | 'macOS' | 'iOS' | 'Android' | 'ChromeOS' | 'Linux';

/** The hints of a request, as they were sent; null for those that weren't. */
export interface ClientHints {
  brands: string | null;
  fullVersions: string | null;
  platform: string | null;
  mobile: string | null;
}

/** What they show: a headless browser, another browser than the user agent, or one that a person may have. */
type ClientHintSign = 'headless' | 'client_hints' | 'client_hints_doubt';

const SYSTEMS: readonly [System, RegExp][] = [
  ['iOS', /^Mozilla\/5\.0 \(i(?:Phone|Pad|Pod)/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\(Macintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];
const CHROME = /\bChrome\/(\d{1,5})/;
const OTHER_ENGINE = /\) Gecko\/[\d.]{1,12} Firefox\/|\bVersion\/[\d.]{1,12} (?:Mobile\/\w{1,10} )?Safari\//;

/** Reads a user agent; the result depends on nothing else. */
export function userAgentClaim(userAgent: string): UserAgentClaim {
  const chrome = CHROME.exec(userAgent)?.[1];
  return {
    chrome: chrome === undefined ? null : Number(chrome),
    hasOtherEngine: chrome === undefined && OTHER_ENGINE.test(userAgent),
    system: SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null,
    isMobile: /\bMobile\b/.test(userAgent),
  };
}

const CHROMIUM = /"(?:Chromium|Google Chrome)" ?; ?v="(\d{1,5})/;
const HEADLESS = /Headless/i;
/** Names of platforms in hints, in lower case. */
const PLATFORMS: Readonly<Record<string, System>> = {
  windows: 'Windows',
  macos: 'macOS',
  'mac os x': 'macOS',
  ios: 'iOS',
  android: 'Android',
  'chrome os': 'ChromeOS',
  'chromium os': 'ChromeOS',
  chromeos: 'ChromeOS',
  linux: 'Linux',
};

/**
 * Compares client hints with the user agent beside them. Extensions of people and modes for desktop sites change one and not
 * the other, so only what they don't change is a contradiction.
 */
export function clientHintSign(hints: ClientHints, claim: UserAgentClaim): ClientHintSign | null {
  const { brands, fullVersions, mobile } = hints;
  if (HEADLESS.test(brands ?? '') || HEADLESS.test(fullVersions ?? '')) return 'headless';
  const version = versionOf(brands) ?? versionOf(fullVersions);
  if (version !== null) {
    if (claim.hasOtherEngine || (claim.chrome !== null && claim.chrome !== version)) return 'client_hints';
    if ((versionOf(fullVersions) ?? version) !== version) return 'client_hints';
  }
  const platform = PLATFORMS[unquoted(hints.platform)];
  const contradiction = platform === undefined ? null : platformSign(platform, claim.system);
  if (contradiction !== null) return contradiction;
  const isDesktop = claim.system !== 'Android' && claim.system !== 'iOS' && claim.system !== null;
  const isMobileMode = mobile?.trim() === '?1' && isDesktop && !claim.isMobile;
  return isMobileMode || (mobile?.trim() === '?0' && claim.isMobile && claim.system === 'Android')
    ? 'client_hints_doubt'
    : null;
}

function platformSign(platform: System, system: System | null): ClientHintSign | null {
  if (system === null || platform === system) return null;
  const isUnix = (name: System): boolean => name === 'Linux' || name === 'ChromeOS' || name === 'Android';
  // A phone that asks for the desktop site says that it is a computer; some cars and televisions say both.
  if (platform === 'Android' && system === 'Linux') return null;
  return platform === 'Android' || (isUnix(platform) && isUnix(system)) ? 'client_hints_doubt' : 'client_hints';
}

function versionOf(brands: string | null): number | null {
  const version = brands === null ? undefined : CHROMIUM.exec(brands)?.[1];
  return version === undefined ? null : Number(version);
}

const unquoted = (text: string | null): string => (text ?? '').trim().replaceAll('"', '').toLowerCase();
