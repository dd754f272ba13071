import { canExist, isChromeBuild, WINDOWS_NT } from './browser-versions.js';

const CHROME = /\bChrome\/(\d{1,5})(?:\.\d{1,5}\.(\d{1,6})\.\d)?/;
const FIREFOX = /\bFirefox\/(\d{1,5})\./;
const REVISION = /\brv:(\d{1,4})\./;
/** Firefox with its own engine and no other product after it. */
const IS_FIREFOX = /\) Gecko\/[\d.]{1,12} Firefox\/[\d.]{1,12}$/;
/** Firefox froze `rv:` at 109 for ten versions. */
const [FROZEN_REVISION, LAST_FROZEN] = [109, 120];
const IOS = /^Mozilla\/5\.0 \(i(?:Phone|Pad|Pod)/;
const IOS_VERSION = /\bCPU (?:iPhone )?OS (\d{1,4})[_.]/;
const SAFARI_VERSION = /\bVersion\/(\d{1,4})[.\d]* (?:Mobile\/\w{1,10} )?Safari\//;
const MAC_VERSION = /\bMac OS X (\d{1,4})[_.]/;
const ANDROID_VERSION = /\bAndroid (\d{1,4})[.;)]/;
const WINDOWS = /\bWindows NT (\d{1,3}\.\d{1,3})/;
/** Names of other vendors' browsers on iOS, and on other systems. */
const NAMES_ON_IOS = /\b(?:CriOS|FxiOS|EdgiOS|OPiOS)\//;
const NAMES_ELSEWHERE = / (?:Chrome|Firefox|Edge?|EdgA|OPR|SamsungBrowser)\/\d/;
const NOT_APPLE = /^Mozilla\/5\.0 \((?:Windows NT|X11|Linux)/;
const FOREIGN_ENGINE = /\b(?:Puffin|osmeta)\b/;
const EDGE = /\bEdg\/(\d{1,5})\./;
const EDGE_LEGACY = /\bEdge\/(\d{1,5})\./;
const MSIE = /\bMSIE (\d{1,3})\./;
const LAST_SAFARI_FOR_WINDOWS = 5;

const numberIn = (expression: RegExp, text: string): number | null => {
  const found = expression.exec(text)?.[1];
  return found === undefined ? null : Number(found);
};

/**
 * Returns whether a user agent claims a browser that never existed: a version that was never released, or a browser on
 * a system that it never ran on.
 *
 * @param at Time of the request, in milliseconds since the epoch.
 */
export function neverExisted(userAgent: string, at: number): boolean {
  const chrome = CHROME.exec(userAgent);
  const version = chrome === null ? null : Number(chrome[1]);
  if (version !== null) {
    if (!canExist('chrome', version, at) || !isChromeBuild(version, Number(chrome![2] ?? 0))) return true;
    const edge = numberIn(EDGE, userAgent);
    if (edge !== null && Math.abs(edge - version) > 1) return true;
  }
  return (
    isImpossibleFirefox(userAgent, at) || isImpossibleSystem(userAgent, at) || isImpossiblePair(userAgent, version)
  );
}

function isImpossibleFirefox(userAgent: string, at: number): boolean {
  const version = numberIn(FIREFOX, userAgent);
  if (version === null) return false;
  if (!canExist('firefox', version, at)) return true;
  const revision = numberIn(REVISION, userAgent);
  // Versions before 5 use another engine version. So do derivatives of Firefox.
  if (revision === null || revision < 5 || version < 5 || !IS_FIREFOX.test(userAgent)) return false;
  if (revision === FROZEN_REVISION && version > FROZEN_REVISION) return version > LAST_FROZEN;
  return Math.abs(revision - version) > 1;
}

function isImpossibleSystem(userAgent: string, at: number): boolean {
  const windows = WINDOWS.exec(userAgent)?.[1];
  if (windows !== undefined && !WINDOWS_NT.has(windows)) return true;
  const apple = numberIn(IOS_VERSION, userAgent) ?? numberIn(MAC_VERSION, userAgent);
  if (apple !== null && !canExist('apple', apple, at)) return true;
  const android = numberIn(ANDROID_VERSION, userAgent);
  return android !== null && !canExist('android', android, at);
}

function isImpossiblePair(userAgent: string, chrome: number | null): boolean {
  if (FOREIGN_ENGINE.test(userAgent)) return false;
  if (IOS.test(userAgent)) return NAMES_ELSEWHERE.test(userAgent);
  if (NOT_APPLE.test(userAgent) && NAMES_ON_IOS.test(userAgent)) return true;
  const legacy = numberIn(EDGE_LEGACY, userAgent);
  if (legacy !== null && (legacy < 12 || legacy > 20)) return true;
  const explorer = numberIn(MSIE, userAgent);
  if (explorer !== null && explorer > 11) return true;
  const safari = chrome === null ? numberIn(SAFARI_VERSION, userAgent) : null;
  return safari !== null && safari > LAST_SAFARI_FOR_WINDOWS && WINDOWS.test(userAgent);
}
