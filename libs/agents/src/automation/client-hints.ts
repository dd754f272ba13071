/** Claims in a user agent that client hints can contradict. */
export interface UserAgentClaim {
  /** Major Chrome version, or null for other browsers. */
  chrome: number | null;
  /** Whether the browser is Firefox or Safari, which don't send client hints. */
  hasOtherEngine: boolean;
  system: System | null;
  isMobile: boolean;
}

type System = 'Windows' | 'macOS' | 'iOS' | 'Android' | 'ChromeOS' | 'Linux';

/** Values of client hint headers. Missing headers are null. */
export interface ClientHints {
  brands: string | null;
  fullVersions: string | null;
  platform: string | null;
  mobile: string | null;
}

/** Headless browser, contradiction of the user agent, or a discrepancy that also occurs in people's browsers. */
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

/** Extracts the claims in a user agent. The result only depends on the user agent, so it can be cached. */
export function parseUserAgentClaim(userAgent: string): UserAgentClaim {
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
 * Compares client hints with the user agent. Discrepancies that browser extensions or desktop-site modes can cause
 * yield `client_hints_doubt`.
 */
export function checkClientHints(hints: ClientHints, claim: UserAgentClaim): ClientHintSign | null {
  const { brands, fullVersions, mobile } = hints;
  if (HEADLESS.test(brands ?? '') || HEADLESS.test(fullVersions ?? '')) return 'headless';
  const version = parseChromiumVersion(brands) ?? parseChromiumVersion(fullVersions);
  if (version !== null) {
    if (claim.hasOtherEngine || (claim.chrome !== null && claim.chrome !== version)) return 'client_hints';
    if ((parseChromiumVersion(fullVersions) ?? version) !== version) return 'client_hints';
  }
  const platform = PLATFORMS[normalizePlatform(hints.platform)];
  const contradiction = platform === undefined ? null : checkPlatform(platform, claim.system);
  if (contradiction !== null) return contradiction;
  const isDesktop = claim.system !== 'Android' && claim.system !== 'iOS' && claim.system !== null;
  const isMobileMode = mobile?.trim() === '?1' && isDesktop && !claim.isMobile;
  return isMobileMode || (mobile?.trim() === '?0' && claim.isMobile && claim.system === 'Android')
    ? 'client_hints_doubt'
    : null;
}

function checkPlatform(platform: System, system: System | null): ClientHintSign | null {
  if (system === null || platform === system) return null;
  const isUnix = (name: System): boolean => name === 'Linux' || name === 'ChromeOS' || name === 'Android';
  // Phones in desktop-site mode claim to run Linux. Some cars and TVs name both systems.
  if (platform === 'Android' && system === 'Linux') return null;
  return platform === 'Android' || (isUnix(platform) && isUnix(system)) ? 'client_hints_doubt' : 'client_hints';
}

function parseChromiumVersion(brands: string | null): number | null {
  const version = brands === null ? undefined : CHROMIUM.exec(brands)?.[1];
  return version === undefined ? null : Number(version);
}

const normalizePlatform = (text: string | null): string => (text ?? '').trim().replaceAll('"', '').toLowerCase();
