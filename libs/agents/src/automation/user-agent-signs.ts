import { isbot } from 'isbot';
import type { AutomationSign } from '../vocabulary.js';
import { claimedBrowser } from './browser-age.js';

/**
 * What no browser that people use calls itself. Phones of the brand Cubot have their name in the user agent, so `bot` behind
 * `cu` doesn't count.
 */
const BOT_NAME =
  /(?:^|^u|[^u]|[^c]u)bots?(?:[^a-z]|$)|crawl|spider|scrap(?:e|y|ing)|harvest|headless|indexer|fetcher|monitor|checker|audit(?:[^a-z]|or|$)|validator|uptime|phantomjs|wkhtmlto|lighthouse|prerender|screenshot/i;
/** A program that names itself behind that word, as no browser but Internet Explorer and Konqueror does. */
const COMPATIBLE_PROGRAM = /\bcompatible; ?[a-z]/i;
/** The model of an Android device, which can have any name. */
const MODEL = /;[^;()/]*Build\/[^;)]*/;

/** The first product of a user agent. */
const PRODUCT = /^[\w.-]+/;
/** Libraries, tools and languages, within that. */
const LIBRARY =
  /http|curl|wget|urllib|axios|undici|python|golang|reqwest|libwww|guzzle|mechanize|webdav|powershell|postman|selenium|puppeteer|playwright|phantomjs|cypress/i;
/** The same, but only as a word of its own: apps of people are called Superlist, Darty and TrustWallet. */
const LIBRARY_WORD =
  /(?:^|[\d._-])(?:requests?|fetch|client|soap|perl|ruby|php|rust|node|deno|bun|lwp|java|jdk|kotlin|scala|swift|dart|erlang|elixir|julia|haskell|ktor|netty|grpc)(?:[\d._-]|$)/i;
/** The same anywhere, with a version. */
const LIBRARY_VERSION =
  /\b(?:python|java|jdk|php|perl|ruby|golang|go|node|nodejs|deno|bun|rust|libcurl|curl|urllib|okhttp)(?:-[a-z]{1,20})?\/v?\d/i;

/** Where its operator can be reached. */
const CONTACTS: readonly RegExp[] = [
  /https?:\/\/|\bwww\.|mailto:|[([]at[)\]]/i,
  /@[a-z0-9][a-z0-9-]{0,62}\.[a-z]/i,
  // A version can end in the code of a country: "1.7630.EU".
  /[a-z][\w-]{0,62}\.(?:com|org|net|io|ai|dev|app|info|eu|de|fr|uk|ru|cn|jp|edu|gov|example)(?:[^\w.-]|$)/i,
];
/** The same, to the end of the word. isbot takes it for a sign, too: it is asked without, so that one fact counts once. */
const CONTACT_WORDS: readonly RegExp[] = [
  /(?:https?:\/\/|www\.|mailto:|@)[^\s;,)]*/gi,
  /\.(?:com|org|net|io|ai|dev|app|info|eu|de|fr|uk|ru|cn|jp|edu|gov|example)\b/gi,
];

/** Devices and systems that people use. */
const SYSTEM =
  /\b(?:Windows|Win9|Macintosh|Mac OS|X11|Andr[o0]id|iPhone|iPad|iPod|iOS|CrOS|CrKey|Fuchsia|CFNetwork|Darwin|Tizen|Web0S|webOS|hpwOS|SMART-TV|SmartTV|HbbTV|BRAVIA|NetCast|OMI|PlayStation|PSP|PS2|Nintendo|Xbox|KAIOS|BlackBerry|BB10|PlayBook|HarmonyOS|OpenHarmony|Symbian|SymbOS|Series ?60|J2ME|Kindle|Silk|AppleTV|tvOS|watchOS|Roku|Haiku|AmigaOS|MorphOS|OS\/2)|^Mozilla\/5\.0 \((?:Mobile|Tablet|TV);/i;

/** What browsers begin with: the system in parentheses. */
const BROWSER_START = /^Mozilla\/[1-5]\.\d{1,2} \(/;
/** The engine, and a browser that has it. */
const ENGINES: readonly [engine: RegExp, browser: RegExp][] = [
  [
    /AppleWebKit\/\d/,
    /(?:Safari|Chrome|Chromium|CriOS|FxiOS|Mobile|Version|Edg[A-Za-z]{0,3}|Epiphany|Konqueror|QtWebEngine|Electron|Arora|Midori|Otter|Silk|Browser(?:NG)?)\//,
  ],
  [
    /Gecko\/\d/,
    /(?:Firefox|Fennec|SeaMonkey|PaleMoon|Iceweasel|Iceape|Camino|Epiphany|K-Meleon|Waterfox|Thunderbird)\/\d/,
  ],
  [/Trident\/\d|MSIE \d|Presto\/\d|KHTML\/\d|Goanna\/\d/, /^/],
];
/** What apps of Apple's systems show pages with, and consoles. */
const WEB_VIEW = /^Mozilla\/5\.0 \((?:Macintosh|iPhone|iPad|iPod|PlayStation)/i;
/** Programs that people browse or play with, and whose user agents have a form of their own. */
const OTHER_BROWSERS =
  /^(?:(?:Opera|Lynx|w3m|Emacs-w3m|E?Links|edbrowse|NetSurf|Dillo|Konqueror|surf|Uzbl|UCWEB|HbbTV|Roku|AppleTV[\d,]{0,9}|VLC|mpv|Lavf|Kodi|AppleCoreMedia|iTunes|QuickTime|Windows-Media-Player|NSPlayer|stagefright|Dalvik)(?:[/ ]|$)|URL\/Emacs|Nokia|SonyEricsson|BlackBerry|SAMSUNG-|LG-|MOT-|HTC|ZTE-|SIE-)/i;
/** As crawlers introduce themselves, and as only Internet Explorer, Office and Konqueror do. */
const COMPATIBLE = /\bcompatible\b|\+https?:\/\//i;
const COMPATIBLE_BROWSER = /^Mozilla\/[45]\.\d{1,2} \(compatible; ?(?:MSIE \d|Konqueror|ms-office)/i;

/**
 * Mistakes of those who write a user agent by hand: quotes around it, the name of its header, Chrome without a version, a
 * version that was cut when it was copied, a Windows that never was, and nothing behind the system of a desktop.
 */
const MISTAKES: readonly RegExp[] = [
  /^["'`]|["'`]$/,
  /^user-?agent\b/i,
  /\) Chrome(?:[ ;]|$)/,
  / Safari\/537\.3$/,
  /\bWindows NT 1[1-9]\b/,
  /^Mozilla\/[45]\.0 \((?:Windows|X11|Macintosh)[^)]*\)$/,
];

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
  const isOther = isCompatibleBrowser || OTHER_BROWSERS.test(userAgent);
  const product = PRODUCT.exec(userAgent)?.[0] ?? '';
  const isBrowser = isOther || hasFormOfBrowser(userAgent);
  const named = userAgent.replace(MODEL, '');
  const isCompatibleProgram = !isCompatibleBrowser && COMPATIBLE_PROGRAM.test(userAgent);
  if (BOT_NAME.test(named) || isCompatibleProgram) signs.push('bot_name');
  const isLibrary = LIBRARY.test(product) || LIBRARY_WORD.test(product) || LIBRARY_VERSION.test(userAgent);
  if (!isBrowser && isLibrary) signs.push('http_library');
  const age = claimedBrowser(userAgent)?.ageInYears(at) ?? 0;
  if (age > OBSOLETE_YEARS) signs.push('obsolete_browser');
  if (!isBrowser) signs.push('not_a_browser');
  if (!isOther && !SYSTEM.test(userAgent)) signs.push('no_system');
  if (MISTAKES.some((mistake) => mistake.test(userAgent))) signs.push('mistake');
  if (COMPATIBLE.test(userAgent) && !isCompatibleBrowser) signs.push('compatible_name');
  if (CONTACTS.some((contact) => contact.test(userAgent))) signs.push('contact');
  if (isbot(withoutContacts(named))) signs.push('isbot');
  if (age > OLD_YEARS) signs.push('old_browser');
  return signs;
}

function hasFormOfBrowser(userAgent: string): boolean {
  if (!BROWSER_START.test(userAgent)) return false;
  if (userAgent.endsWith('(KHTML, like Gecko)') && WEB_VIEW.test(userAgent)) return true;
  return ENGINES.some(([engine, browser]) => engine.test(userAgent) && browser.test(userAgent));
}

const withoutContacts = (userAgent: string): string =>
  CONTACT_WORDS.reduce((text, words) => text.replaceAll(words, ' '), userAgent);
