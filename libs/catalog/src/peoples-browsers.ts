import topUserAgents from 'top-user-agents';

/** What a browser's User-Agent tells of its version, and of its system's. */
const VERSION = /(\b(?:Chrome|CriOS|Edg|Electron|Firefox|OPR|rv|SamsungBrowser|Version|YaBrowser)[/:])(\d+)/g;
const SYSTEM = /(\b(?:Android |iPhone OS |Windows NT |Mac OS X ))(\d+)/g;
const SHIFTS = [0, 1, 2, 5, 10, 20, 30];

/** What apps add in which people follow links, and browsers of other devices. */
const RARER = [
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
  'Opera/9.80 (Android; Opera Mini/36.2.2254/191.256; U; en) Presto/2.12.423 Version/12.16',
];

/**
 * Returns User-Agents of people's browsers, more than 600: the hundred most common ones of the package, the same of earlier
 * versions, and some of apps and devices that are rarer.
 */
export function peoplesBrowsers(): readonly string[] {
  return (known ??= made());
}

let known: readonly string[] | undefined;

function made(): string[] {
  const earlier = (text: string, by: number): string =>
    [VERSION, SYSTEM].reduce(
      (result, part, index) =>
        result.replaceAll(part, (_, name: string, version) => name + Math.max(1, Number(version) - (by >> index))),
      text,
    );
  return [...new Set([...SHIFTS.flatMap((by) => topUserAgents.map((userAgent) => earlier(userAgent, by))), ...RARER])];
}
