import { createIsbotFromList, list } from 'isbot';
import type { AutomationSign } from '../vocabulary.js';
import { parseClaimedBrowser, hasFrozenBrowser } from './browser-age.js';
import { isImpossibleBrowser } from './impossible-browser.js';
import { hasAppForm, isEndUserProgram, isMediaPlayer, namesDevice, namesPlatform } from './known-platforms.js';

/**
 * Names that never occur in people's browsers. `bot` after `cu` doesn't count, because Cubot phones include their brand
 * in the user agent. Microsoft Office prefetches links in documents.
 */
const BOT_NAME =
  /(?:^|^u|[^u]|[^c]u)bots?(?:[^a-z]|$)|crawl|spider|scrap(?:e|y|ing)|harvest|headless|indexer|(?:pre)?fetch(?:er|$|\/)|monitor|checker|audit(?:[^a-z]|or|$)|validator|uptime|phantomjs|wkhtmlto|lighthouse|prerender|screenshot|diagnostic|^Google-Ads|^Microsoft Office \w{1,20} 20/i;
/** Names that programs add to a desktop browser's user agent. Phone apps can also have such names. */
const DESKTOP_PROGRAM =
  /synthetic|thumbnail|favicon|inspect(?:or)?(?:[^a-z]|$)|preview(?:er)?(?:\/|s\b)|(?:link|page|site|ur[il]|web) ?preview|observatory|watcher/i;
/** Like {@link DESKTOP_PROGRAM}, but case-sensitive. Google's programs have names like `Foo-Google` and `Google-Foo`. */
const DESKTOP_AGENT = /[a-z](?:[ -]?Agent|-Google)(?:[^A-Za-z]|$)|\bGoogle-[A-Z]/;
/** Android device model, which can be any text. Follows the version and the optional language. */
const MODEL = /(Android [\d.]{1,12};(?: [a-z]{2}[-_][A-Za-z]{2};)?)[^();/]*(?:Build\/[^();]*)?/;
/** Model and build number of any other device. */
const MODEL_WITH_BUILD = /;[^;()/]*Build\/[^;)]*/;

const PRODUCT = /^[\w.-]+/;
/** Libraries, tools and programming languages in the first product. */
const LIBRARY =
  /http|curl|wget|urllib|axios|undici|python|golang|reqwest|libwww|guzzle|mechanize|webdav|powershell|postman|selenium|puppeteer|playwright|phantomjs|cypress/i;
/**
 * Like {@link LIBRARY}, but only matches whole words, because names such as Superlist, Darty and TrustWallet belong to
 * apps.
 */
const LIBRARY_WORD =
  /(?:^|[\d._-])(?:requests?|fetch|soap|perl|ruby|php|rust|node|deno|bun|lwp|java|jdk|kotlin|scala|swift|dart|erlang|elixir|julia|haskell|ktor|netty|grpc)(?:[\d._-]|$)/i;
/** Like {@link LIBRARY_WORD}, but ignored in the names of apps. */
const CLIENT_WORD = /(?:^|[\d._-])client(?:[\d._-]|$)/i;
/** Versioned libraries and programming languages anywhere in the user agent. */
const LIBRARY_VERSION =
  /\b(?:python|java|jdk|php|perl|ruby|golang|node|nodejs|deno|bun|rust|libcurl|curl|urllib|okhttp)(?:-[a-z]{1,20})?\/v?\d/i;
/** Lowercase `go` as a whole word, because names such as Sports GO belong to apps. */
const GO_VERSION = /(?:^|[\s(;,])go\/v?\d/;

const CONTACT = /https?:\/\/|\bwww\.|mailto:|[([]at[)\]]|@[a-z0-9][a-z0-9-]{0,62}\.[a-z]/i;
/**
 * Domain name. Ignored in apps, which may have names such as Radio.com. Requires a letter before the dot, because
 * versions can end with a country code: `1.7630.EU`.
 */
const CONTACT_DOMAIN =
  /[a-z][\d_-]{0,62}\.(?:com|org|net|io|ai|dev|app|info|eu|de|fr|uk|ru|cn|jp|edu|gov|example)(?:[^\w.-]|$)/i;
/** Links in people's browsers: QtWeb, and an embedded browser component used by many applications. */
const BROWSER_CONTACT = /\b(?:bsalsa\.com|QtWeb\.net)\b/i;
/** Links and domains, removed before running isbot so that they aren't counted twice. */
const CONTACT_WORDS: readonly RegExp[] = [
  /(?:https?:\/\/|www\.|mailto:|@)[^\s;,)]*/gi,
  /\.(?:com|org|net|io|ai|dev|app|info|eu|de|fr|uk|ru|cn|jp|edu|gov|example)\b/gi,
];

/** Start of a browser's user agent, up to the operating system. Some logs omit the parentheses. */
const BROWSER_START =
  /^Mozilla\/[1-5]\.\d{1,2}(?: \(| ?\((?:compatible; U|Linux);| (?:Linux|iPhone|iPad|Windows NT|Macintosh|X11);)/;
const ENGINES: readonly [engine: RegExp, browser: RegExp][] = [
  [
    /AppleWebKit\/?\d/i,
    /(?:Safari|Chrome|Chromium|CriOS|FxiOS|Mobile|Version|Edg[A-Za-z]{0,3}|Epiphany|Konqueror|QtWebEngine|Electron|Arora|Midori|Otter|Silk|Viera|\w{0,20}Browser(?:NG)?)\//,
  ],
  [
    /Gecko\/\d/,
    /(?:Firefox|Fennec|SeaMonkey|PaleMoon|Iceweasel|Iceape|IceCat|Camino|Epiphany|Galeon|K-Meleon|Waterfox|Thunderbird|\w{0,20}Browser)\/\d/,
  ],
  [/Trident\/\d|MSIE \d|Presto\/\d|KHTML\/\d|Goanna\/\d|Servo\/\d/, /^/],
];
/** Web views on Apple devices and PlayStation consoles, which end without a browser name. */
const WEB_VIEW = /^Mozilla\/5\.0 \((?:Macintosh|iPhone|iPad|iPod|PlayStation)/i;
/** Typical introductions in crawler user agents. */
const INTRODUCTION = /\bcompatible; ?[a-z]|\(compatible\b|\(KHTML, like Gecko; ?[a-z]/i;
const LINK_AFTER_PLUS = /\+(?:https?:\/\/|www\.|[a-z][\w-]{0,62}\.(?:com|org|net|io|ai|dev)\b)/i;
const LINK_AFTER_PRODUCT = /([a-z]{1,30})\/[\d.]{1,20};? \(?(?:via )?(?:https?:\/\/|www\.)/i;
/** Products that can come last in a browser's user agent. A link after them may belong to an add-on. */
const LAST_PRODUCT = /^(?:Chrome|Edg[A-Z]?|Firefox|Gecko|Mobile|OPR|Safari|Version|\w*Browser)$/i;
/** Browsers whose user agents also contain `compatible`. */
const COMPATIBLE_BROWSER =
  /^(?:Mozilla|Opera)\/[1-9]\.\d{1,2}(?: WebTV\/[\d.]{1,8})? ?\((?:[^()]{0,40}; )?compatible[;:] ?(?:MSP?IE ?\d|Amiga-AWeb|ANTFresco|Dillo|Gecko\/|Linux \d|NCBrowser|OffByOne|Polaris|Konqueror|ms-office|U;|IBrowse|NetPositive|iCab|Lotus-Notes|Opera|OmniWeb|AOL|AWeb|NetFront|Voyager)|\(compatible; (?:MSIE \d{1,2}\.\d{1,2}; Windows (?:CE|Phone)|ANTGalio|Linux \w{1,10}\)|Teleca)/i;

/** Linux only counts as a platform in a browser's user agent, because other programs also name it. */
const LINUX = /^Mozilla\/5\.0 \((?:U; )?(?:GNU\/)?Linux\b/i;

/** Typical mistakes in handwritten user agents: a leading quote, or the name of the header. */
const HANDWRITTEN = /^(?:["'`]|user-?agent\b)/i;
/** User agents that end after the desktop operating system. Outlook and early Windows 10 Mobile also send these. */
const SYSTEM_ONLY = /^Mozilla\/[45]\.0 \((?:Windows|X11|Macintosh)[^)]*\)(?: Chrome)?$/;
const SYSTEM_ONLY_EXCEPTION = /Windows Phone|Trident\//;
/** Mistakes that logging can also cause: Chrome without a version, a truncated version or a trailing quote. */
const MISTAKE = /\) Chrome(?:[ ;]|$)| Safari\/537\.3$|["'`]$/;

/** isbot patterns to skip, because they check the format of a user agent or match browsers and apps that people use. */
const SKIPPED_ISBOT_PATTERNS =
  /^\^(?:[^a-z]|(?:active|amaya|ddg|downcast|duckduckgo|exodus|facebook|mozilla|navermail|netsurf|snapchat|whatsapp|yahoo|yandex))|^[;@]|^\\[d(|]|^\\b\\w|\.com|chromeframe|firephp|browsex|offbyone|ibisbrowser|powermarks|torrent|google\(\?|server|agent\\b|^(?:catch|java\(|proxy|sogou)/;
/** Browser add-ons and app components that isbot would match. */
const ADD_ON = /\b(?:GWX:|HbTools |MSN Optimized|QQDownload |Process\/tools|Splashtop)/i;
const matchesIsbot = createIsbotFromList(list.filter((pattern) => !SKIPPED_ISBOT_PATTERNS.test(pattern)));

/**
 * Age in years at which a browser version has practically no users, and age at which it can't open HTTPS sites because
 * it lacks TLS 1.2.
 */
const [OLD_YEARS, OBSOLETE_YEARS] = [8, 15];

/**
 * Returns the signs of automation in a user agent, in the order of `AUTOMATION_SIGNS`. Each fact yields only one sign.
 * Runs in linear time.
 *
 * @param at Time of the request, in milliseconds since the epoch. It may be years ago.
 */
export function findUserAgentSigns(userAgent: string, at: number): AutomationSign[] {
  if (userAgent.trim() === '') return ['no_user_agent'];
  const signs: AutomationSign[] = [];
  const isHandwritten =
    HANDWRITTEN.test(userAgent) || (SYSTEM_ONLY.test(userAgent) && !SYSTEM_ONLY_EXCEPTION.test(userAgent));
  const isCompatibleBrowser = COMPATIBLE_BROWSER.test(userAgent);
  const isOtherBrowser = isCompatibleBrowser || isEndUserProgram(userAgent);
  const isBrowserFormat = hasBrowserFormat(userAgent);
  const isBrowser = isOtherBrowser || isBrowserFormat;
  const isInstalledApp = !isBrowserFormat && hasAppForm(userAgent);
  const isApp = !isBrowser && (isInstalledApp || namesDevice(userAgent));
  const userAgentWithoutModel = removeModel(userAgent);
  const hasBotName =
    !isInstalledApp &&
    (BOT_NAME.test(userAgentWithoutModel) || (isBrowserFormat && hasDesktopProgramName(userAgentWithoutModel)));
  const isLibrary = !isBrowser && !isInstalledApp && namesLibrary(userAgent, isApp);
  const hasLink = CONTACT.test(userAgent) || (!isApp && CONTACT_DOMAIN.test(userAgent));
  const hasContact = hasLink && !isInstalledApp && !BROWSER_CONTACT.test(userAgent);
  const isIntroduced =
    (!isInstalledApp && !isMediaPlayer(userAgent) && LINK_AFTER_PLUS.test(userAgent)) ||
    (!isCompatibleBrowser && INTRODUCTION.test(userAgent)) ||
    (isBrowserFormat && hasContact && hasLinkAfterProduct(userAgent));
  const hasPlatform = isOtherBrowser || isApp || namesPlatform(userAgent) || (isBrowserFormat && LINUX.test(userAgent));
  const age = parseClaimedBrowser(userAgent)?.ageInYears(at) ?? 0;
  if (hasBotName) signs.push('bot_name');
  if (isLibrary) signs.push('http_library');
  if (isIntroduced) signs.push('compatible_name');
  if (!isBrowser && !hasPlatform) signs.push('bare_name');
  if (isHandwritten) signs.push('handwritten');
  if (isBrowser && isImpossibleBrowser(userAgent, at) && !hasFrozenBrowser(userAgent)) signs.push('impossible_browser');
  if (age > OBSOLETE_YEARS) signs.push('obsolete_browser');
  if (!isBrowser && hasPlatform && !isHandwritten) signs.push('not_a_browser');
  if (isBrowser && !hasPlatform) signs.push('no_system');
  if (MISTAKE.test(userAgent)) signs.push('mistake');
  if (hasContact) signs.push('contact');
  // isbot matches the same words as the signs above. It also matches words such as feed, news and download, which are
  // common in app names.
  const isNamed = hasBotName || isLibrary || isApp || isInstalledApp || ADD_ON.test(userAgent);
  if (!isNamed && matchesIsbot(hasLink ? removeContacts(userAgentWithoutModel) : userAgentWithoutModel))
    signs.push('isbot');
  if (age > OLD_YEARS && age <= OBSOLETE_YEARS) signs.push('old_browser');
  return signs;
}

function namesLibrary(userAgent: string, isApp: boolean): boolean {
  const product = PRODUCT.exec(userAgent)?.[0] ?? '';
  if (LIBRARY.test(product) || LIBRARY_WORD.test(product) || (!isApp && CLIENT_WORD.test(product))) return true;
  return LIBRARY_VERSION.test(userAgent) || GO_VERSION.test(userAgent);
}

const hasDesktopProgramName = (userAgentWithoutModel: string): boolean =>
  (DESKTOP_PROGRAM.test(userAgentWithoutModel) || DESKTOP_AGENT.test(userAgentWithoutModel)) &&
  !namesDevice(userAgentWithoutModel);

function hasLinkAfterProduct(userAgent: string): boolean {
  const product = LINK_AFTER_PRODUCT.exec(userAgent)?.[1];
  return product !== undefined && !LAST_PRODUCT.test(product);
}

function hasBrowserFormat(userAgent: string): boolean {
  if (!BROWSER_START.test(userAgent)) return false;
  if (userAgent.endsWith('(KHTML, like Gecko)') && WEB_VIEW.test(userAgent)) return true;
  return ENGINES.some(([engine, browser]) => engine.test(userAgent) && browser.test(userAgent));
}

const removeModel = (userAgent: string): string => userAgent.replace(MODEL, '$1').replace(MODEL_WITH_BUILD, '');

const removeContacts = (userAgent: string): string =>
  CONTACT_WORDS.reduce((text, words) => text.replaceAll(words, ' '), userAgent);
