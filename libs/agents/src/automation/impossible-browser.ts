import { canExist, isChromeBuild, WINDOWS_NT_VERSIONS } from './browser-versions.js';

const CHROME = /\bChrome\/(\d{1,5})(?:\.\d{1,5}\.(\d{1,6})\.\d)?/;
const FIREFOX = /\bFirefox\/(\d{1,5})\./;
const REVISION = /\brv:(\d{1,4})\./;
/** Genuine Firefox: Gecko engine, with no other product after it. */
const IS_FIREFOX = /\) Gecko\/[\d.]{1,12} Firefox\/[\d.]{1,12}$/;
/**
 * Firefox 110 to 119 reported `rv:109`. The limit is 120, because the reported version may differ from the actual one
 * by one.
 */
const [FROZEN_REVISION, MAX_FROZEN_VERSION] = [109, 120];
const IOS = /^Mozilla\/5\.0 \(i(?:Phone|Pad|Pod)/;
const IOS_VERSION = /\bCPU (?:iPhone )?OS (\d{1,4})[_.]/;
const SAFARI_VERSION = /\bVersion\/(\d{1,4})[.\d]* (?:Mobile\/\w{1,10} )?Safari\//;
const MAC_VERSION = /\bMac OS X (\d{1,4})[_.]/;
const ANDROID_VERSION = /\bAndroid (\d{1,4})[.;)]/;
const WINDOWS = /\bWindows NT (\d{1,3}\.\d{1,3})/;
/** Browsers by other vendors have different names on iOS and on other systems. */
const IOS_BROWSERS = /\b(?:CriOS|FxiOS|EdgiOS|OPiOS)\//;
const NON_IOS_BROWSERS = / (?:Chrome|Firefox|Edge?|EdgA|OPR|SamsungBrowser)\/\d/;
const NOT_APPLE = /^Mozilla\/5\.0 \((?:Windows NT|X11|Linux)/;
const FOREIGN_ENGINE = /\b(?:Puffin|osmeta)\b/;
const EDGE = /\bEdg\/(\d{1,5})\./;
const EDGE_LEGACY = /\bEdge\/(\d{1,5})\./;
const MSIE = /\bMSIE (\d{1,3})\./;
const MAX_SAFARI_VERSION_ON_WINDOWS = 5;

const matchNumber = (expression: RegExp, text: string): number | null => {
  const digits = expression.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
};

/**
 * Returns true if a user agent claims to be a browser that never existed: an unreleased version, or a browser on an
 * operating system it never supported.
 *
 * @param at Time of the request, in milliseconds since the epoch.
 */
export function isImpossibleBrowser(userAgent: string, at: number): boolean {
  const chrome = CHROME.exec(userAgent);
  const version = chrome === null ? null : Number(chrome[1]);
  if (version !== null) {
    if (!canExist('chrome', version, at) || !isChromeBuild(version, Number(chrome![2] ?? 0))) return true;
    const edge = matchNumber(EDGE, userAgent);
    if (edge !== null && Math.abs(edge - version) > 1) return true;
  }
  return (
    isImpossibleFirefox(userAgent, at) || isImpossibleSystem(userAgent, at) || isImpossiblePair(userAgent, version)
  );
}

function isImpossibleFirefox(userAgent: string, at: number): boolean {
  const version = matchNumber(FIREFOX, userAgent);
  if (version === null) return false;
  if (!canExist('firefox', version, at)) return true;
  const revision = matchNumber(REVISION, userAgent);
  // In Firefox 4 and earlier and in Firefox derivatives, `rv:` doesn't match the browser version.
  if (revision === null || revision < 5 || version < 5 || !IS_FIREFOX.test(userAgent)) return false;
  if (revision === FROZEN_REVISION && version > FROZEN_REVISION) return version > MAX_FROZEN_VERSION;
  return Math.abs(revision - version) > 1;
}

function isImpossibleSystem(userAgent: string, at: number): boolean {
  const windows = WINDOWS.exec(userAgent)?.[1];
  if (windows !== undefined && !WINDOWS_NT_VERSIONS.has(windows)) return true;
  const apple = matchNumber(IOS_VERSION, userAgent) ?? matchNumber(MAC_VERSION, userAgent);
  if (apple !== null && !canExist('apple', apple, at)) return true;
  const android = matchNumber(ANDROID_VERSION, userAgent);
  return android !== null && !canExist('android', android, at);
}

function isImpossiblePair(userAgent: string, chrome: number | null): boolean {
  if (FOREIGN_ENGINE.test(userAgent)) return false;
  if (IOS.test(userAgent)) return NON_IOS_BROWSERS.test(userAgent);
  if (NOT_APPLE.test(userAgent) && IOS_BROWSERS.test(userAgent)) return true;
  const legacy = matchNumber(EDGE_LEGACY, userAgent);
  if (legacy !== null && (legacy < 12 || legacy > 20)) return true;
  const explorer = matchNumber(MSIE, userAgent);
  if (explorer !== null && explorer > 11) return true;
  const safari = chrome === null ? matchNumber(SAFARI_VERSION, userAgent) : null;
  return safari !== null && safari > MAX_SAFARI_VERSION_ON_WINDOWS && WINDOWS.test(userAgent);
}
