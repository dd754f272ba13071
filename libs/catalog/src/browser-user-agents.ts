import topUserAgents from 'top-user-agents';

const BROWSER_VERSION =
  /(\b(?:Chrome|CriOS|Edg|Electron|Firefox|Mobile|OPR|rv|SamsungBrowser|Version|YaBrowser)[/:])(\d+)/g;
const SYSTEM_VERSION = /(\b(?:Android |iPhone OS |Mac OS X ))(\d+)/g;
/** Chrome's build number. It is replaced with zeros, because it would no longer belong to the changed version. */
const CHROME_BUILD = /(\bChrome\/\d+)\.0\.\d+\.\d+/g;
/** Apple's version numbers jump from 18 to 26. */
const [LAST_BEFORE_GAP, FIRST_AFTER_GAP] = [18, 26];
/** Number of versions to go back, or forward if negative. Chrome has about 13 releases a year, Safari has one. */
const VERSION_SHIFTS = [0, 1, 2, 5, 10, 20, 30, -1, -2, -3, -4, -5, -6, -8, -10, -13, -20, -26];

/** In-app browsers, and browsers on less common devices. */
const RARE_BROWSERS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/520.0.0.38.101;FBDV/iPhone15,2;FBMD/iPhone;FBSN/iOS;FBSV/18.5]',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 390.0.0.28.85 (iPhone15,2; iOS 18_5; de_DE; scale=3.00)',
  'Mozilla/5.0 (Linux; Android 15; SM-S921B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/138.0.7204.63 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/375.0.772 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.60 NetType/WIFI Language/en',
  'Mozilla/5.0 (Linux; U; Android 13; en-US; M2101K7AG) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.7.8 Mobile Safari/537.36',
  'Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/4.0 Chrome/94.0.4606.31 TV Safari/537.36',
  'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/94.0.4606.128 Safari/537.36 WebAppManager',
  'Mozilla/5.0 (PlayStation; PlayStation 5/6.50) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.4 Safari/605.1.15',
  'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Trident/7.0; rv:11.0) like Gecko',
  'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Vivaldi/7.5.3735.44',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15',
  'Mozilla/5.0 (Linux; Android 10) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/138.0.7204.63 Mobile DuckDuckGo/5 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15 Ddg/18.5',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 EdgiOS/138.0.3351.65 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36 EdgA/138.0.0.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Whale/4.32.315.22 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 11; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/138.3.1 like Chrome/138.0.7204.63 Safari/537.36',
  'Opera/9.80 (Android; Opera Mini/36.2.2254/191.256; U; en) Presto/2.12.423 Version/12.16',
];

/**
 * Returns more than 1,200 User-Agents of ordinary browsers: the most common ones, their versions from recent years and
 * the next two years, and some rarer browsers, apps and devices.
 */
export function getBrowserUserAgents(): readonly string[] {
  return (cached ??= buildUserAgents());
}

let cached: readonly string[] | undefined;

function buildUserAgents(): string[] {
  // Browser versions are shifted in both directions, but system versions only go back, because most browsers report the
  // same system version forever.
  const shiftVersions = (text: string, shift: number): string =>
    shift === 0
      ? text
      : lowerVersions(lowerVersions(text, BROWSER_VERSION, shift), SYSTEM_VERSION, Math.max(0, shift >> 1)).replaceAll(
          CHROME_BUILD,
          '$1.0.0.0',
        );
  return [
    ...new Set([
      ...VERSION_SHIFTS.flatMap((shift) => topUserAgents.map((userAgent) => shiftVersions(userAgent, shift))),
      ...RARE_BROWSERS,
    ]),
  ];
}

const lowerVersions = (text: string, pattern: RegExp, shift: number): string =>
  text.replaceAll(
    pattern,
    (_, name: string, version) => name + skipVersionGap(name, Math.max(1, Number(version) - shift)),
  );

const skipVersionGap = (name: string, version: number): number =>
  /Version|OS/.test(name) && version > LAST_BEFORE_GAP && version < FIRST_AFTER_GAP
    ? version - (FIRST_AFTER_GAP - LAST_BEFORE_GAP - 1)
    : version;
