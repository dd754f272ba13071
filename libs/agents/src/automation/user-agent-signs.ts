import { isbot } from 'isbot';
import type { AutomationSign } from '../vocabulary.js';
import { claimedBrowser } from './browser-age.js';

/**
 * What no browser that people use calls itself. Phones of the brand Cubot have their name in the user agent, so `bot` behind
 * `cu` doesn't count.
 */
const BOT_NAME = /(?:^|^u|[^u]|[^c]u)bots?(?:[^a-z]|$)|crawl|spider|scrap(?:e|y|ing)|harvest|headless|indexer|fetcher/i;

/** The first product of a user agent. */
const PRODUCT = /^[\w.-]+/;
/** Libraries, tools and languages, within that. */
const LIBRARY =
  /http|curl|wget|urllib|request|axios|undici|fetch|client|soap|python|perl|ruby|php|golang|rust|reqwest|node|deno|libwww|lwp|guzzle|mechanize|webdav|powershell|java|jdk|kotlin|scala|swift|dart|erlang|elixir|julia|haskell|ktor|netty|grpc|postman|selenium|puppeteer|playwright|phantomjs|cypress/i;
/** The same anywhere, with a version. */
const LIBRARY_VERSION =
  /\b(?:python|java|jdk|php|perl|ruby|golang|go|node|nodejs|deno|bun|rust|libcurl|curl|urllib|okhttp)(?:-[a-z]{1,20})?\/v?\d/i;

/** Where its operator can be reached. */
const CONTACTS: readonly RegExp[] = [
  /https?:\/\/|\bwww\.|mailto:|[([]at[)\]]/i,
  /@[a-z0-9][a-z0-9-]{0,62}\.[a-z]/i,
  /\w\.(?:com|org|net|io|ai|dev|app|info|eu|de|fr|uk|ru|cn|jp|edu|gov|example)(?:[^\w.-]|$)/i,
];
/** The same, to the end of the word. isbot takes it for a sign, too: it is asked without, so that one fact counts once. */
const CONTACT_WORDS: readonly RegExp[] = [
  /(?:https?:\/\/|www\.|mailto:|@)[^\s;,)]*/gi,
  /\.(?:com|org|net|io|ai|dev|app|info|eu|de|fr|uk|ru|cn|jp|edu|gov|example)\b/gi,
];

/** Devices and systems that people use. */
const SYSTEM =
  /\b(?:Windows|Win9|Macintosh|Mac OS|X11|Android|iPhone|iPad|iPod|iOS|CrOS|CFNetwork|Darwin|Tizen|Web0S|webOS|SMART-TV|SmartTV|PlayStation|Nintendo|Xbox|KAIOS|BlackBerry|BB10|HarmonyOS|OpenHarmony|Symbian|SymbOS|Series60|Kindle|Silk|AppleTV|tvOS|watchOS|Roku|Haiku|AmigaOS)/i;

/** What browsers begin with: the system in parentheses. */
const BROWSER_START = /^Mozilla\/[1-5]\.\d{1,2} \(/;
/** The engine, and a browser that has it. */
const ENGINES: readonly [engine: RegExp, browser: RegExp][] = [
  [
    /AppleWebKit\/\d/,
    /(?:Safari|Chrome|Chromium|CriOS|FxiOS|Mobile|Version|Edg[A-Za-z]{0,3}|Epiphany|Konqueror|QtWebEngine|Electron|Arora|Midori|Browser)\//,
  ],
  [
    /Gecko\/\d/,
    /(?:Firefox|Fennec|SeaMonkey|PaleMoon|Iceweasel|Iceape|Camino|Epiphany|K-Meleon|Waterfox|Thunderbird)\/\d/,
  ],
  [/Trident\/\d|MSIE \d|Presto\/\d|KHTML\/\d|Goanna\/\d/, /^/],
];
/** What apps of Apple's systems show pages with. */
const WEB_VIEW = /^Mozilla\/5\.0 \((?:Macintosh|iPhone|iPad|iPod)/;
/** Programs that people browse or play with, and whose user agents have a form of their own. */
const OTHER_BROWSERS =
  /^(?:(?:Opera|Lynx|w3m|E?Links|NetSurf|Dillo|Konqueror|UCWEB|VLC|AppleCoreMedia|iTunes|stagefright|Dalvik)$|Nokia|SonyEricsson|BlackBerry|SAMSUNG-|LG-|MOT-|HTC|ZTE-|SIE-)/i;
/** As crawlers introduce themselves, and as only Internet Explorer and Konqueror do. */
const COMPATIBLE = /\bcompatible\b/i;
const COMPATIBLE_BROWSER = /^Mozilla\/[45]\.\d{1,2} \(compatible; ?(?:MSIE \d|Konqueror)/i;

/** Years after which nearly nobody uses a version any more, and after which it opens no https site: it lacks TLS 1.2. */
const [OLD_YEARS, OBSOLETE_YEARS] = [8, 15];

/**
 * Returns what in a user agent speaks for a program, in the order of the vocabulary. Takes time linear in its length.
 *
 * @param at when it was sent, in milliseconds since the epoch: a log may be of years ago.
 */
export function userAgentSigns(userAgent: string, at: number): AutomationSign[] {
  if (userAgent.trim() === '') return ['no_user_agent'];
  const signs: AutomationSign[] = [];
  const isCompatibleBrowser = COMPATIBLE_BROWSER.test(userAgent);
  const product = PRODUCT.exec(userAgent)?.[0] ?? '';
  const isBrowser = OTHER_BROWSERS.test(product) || hasFormOfBrowser(userAgent) || isCompatibleBrowser;
  if (BOT_NAME.test(userAgent)) signs.push('bot_name');
  if (!isBrowser) {
    if (LIBRARY.test(product) || LIBRARY_VERSION.test(userAgent)) signs.push('http_library');
    signs.push('not_a_browser');
    if (!SYSTEM.test(userAgent)) signs.push('no_system');
  }
  if (COMPATIBLE.test(userAgent) && !isCompatibleBrowser) signs.push('compatible_name');
  if (CONTACTS.some((contact) => contact.test(userAgent))) signs.push('contact');
  if (isbot(withoutContacts(userAgent))) signs.push('isbot');
  const age = claimedBrowser(userAgent)?.ageInYears(at) ?? 0;
  if (age > OBSOLETE_YEARS) signs.push('obsolete_browser');
  else if (age > OLD_YEARS) signs.push('old_browser');
  return signs;
}

function hasFormOfBrowser(userAgent: string): boolean {
  if (!BROWSER_START.test(userAgent) || !SYSTEM.test(userAgent)) return false;
  if (userAgent.endsWith('(KHTML, like Gecko)') && WEB_VIEW.test(userAgent)) return true;
  return ENGINES.some(([engine, browser]) => engine.test(userAgent) && browser.test(userAgent));
}

const withoutContacts = (userAgent: string): string =>
  CONTACT_WORDS.reduce((text, words) => text.replaceAll(words, ' '), userAgent);
