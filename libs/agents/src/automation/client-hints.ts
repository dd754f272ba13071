/** Parts of a user agent that client hints can contradict. */
export interface UserAgentClaim {
  /** Chrome version, or null for other browsers. */
  chrome: number | null;
  /** Whether the browser has an engine that sends no client hints. */
  hasOtherEngine: boolean;
  system: System | null;
  isMobile: boolean;
}

type System = 'Windows' | 'macOS' | 'iOS' | 'Android' | 'ChromeOS' | 'Linux';

/** Client hints as sent. Missing ones are null. */
export interface ClientHints {
  brands: string | null;
  fullVersions: string | null;
  platform: string | null;
  mobile: string | null;
}

/** Headless browser, contradiction of the user agent, or a difference that people's browsers can have. */
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

/** Parses a user agent. The result depends on nothing else, so it can be cached. */
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
 * Compares client hints with the user agent. Browser extensions and desktop-site modes can change one and not the
 * other. Such differences only raise doubt.
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
  // Phones in desktop-site mode claim to be Linux computers. Some cars and TVs name both systems.
  if (platform === 'Android' && system === 'Linux') return null;
  return platform === 'Android' || (isUnix(platform) && isUnix(system)) ? 'client_hints_doubt' : 'client_hints';
}

function versionOf(brands: string | null): number | null {
  const version = brands === null ? undefined : CHROMIUM.exec(brands)?.[1];
  return version === undefined ? null : Number(version);
}

const unquoted = (text: string | null): string => (text ?? '').trim().replaceAll('"', '').toLowerCase();
