import { createIsbotFromList, list } from 'isbot';
import type { AutomationSign } from '../vocabulary.js';
import { claimedBrowser, isDevice } from './browser-age.js';
import { neverExisted } from './impossible-browser.js';
import { isPeoplesProgram, namesDevice, namesPlatform } from './known-platforms.js';

/**
 * Names that browsers for people never have. Cubot phones have their brand in the user agent, so `bot` after `cu`
 * doesn't count. Microsoft Office fetches the links in documents itself.
 */
const BOT_NAME =
  /(?:^|^u|[^u]|[^c]u)bots?(?:[^a-z]|$)|crawl|spider|scrap(?:e|y|ing)|harvest|headless|indexer|(?:pre)?fetch(?:er|$|\/)|monitor|checker|audit(?:[^a-z]|or|$)|validator|uptime|phantomjs|wkhtmlto|lighthouse|prerender|screenshot|diagnostic|^Google-Ads|^Microsoft Office \w{1,20} 20/i;
/** Names that programs add to a desktop browser's user agent. Apps on phones have such names, too. */
const NAME_ON_DESKTOP =
  /synthetic|thumbnail|favicon|inspect(?:or)?(?:[^a-z]|$)|preview(?:er)?(?:\/|s\b)|(?:link|page|site|ur[il]|web) ?preview|observatory|watcher/i;
/** Like {@link NAME_ON_DESKTOP}, but case-sensitive. Google's programs have its name before or after a hyphen. */
const AGENT_ON_DESKTOP = /[a-z](?:[ -]?Agent|-Google)(?:[^A-Za-z]|$)|\bGoogle-[A-Z]/;
/** Model of an Android device, which can have any name. Follows the version, and the language if there is one. */
const MODEL = /(Android [\d.]{1,12};(?: [a-z]{2}[-_][A-Za-z]{2};)?)[^();/]*(?:Build\/[^();]*)?/;
/** Model of any other device, with its build. */
const MODEL_WITH_BUILD = /;[^;()/]*Build\/[^;)]*/;

const PRODUCT = /^[\w.-]+/;
/** Libraries, tools and languages in the first product. */
const LIBRARY =
  /http|curl|wget|urllib|axios|undici|python|golang|reqwest|libwww|guzzle|mechanize|webdav|powershell|postman|selenium|puppeteer|playwright|phantomjs|cypress/i;
/** Like {@link LIBRARY}, but only as separate words. People's apps are called Superlist, Darty and TrustWallet. */
const LIBRARY_WORD =
  /(?:^|[\d._-])(?:requests?|fetch|soap|perl|ruby|php|rust|node|deno|bun|lwp|java|jdk|kotlin|scala|swift|dart|erlang|elixir|julia|haskell|ktor|netty|grpc)(?:[\d._-]|$)/i;
/** Like {@link LIBRARY_WORD}, but not in an app's name. */
const CLIENT_WORD = /(?:^|[\d._-])client(?:[\d._-]|$)/i;
/** Libraries and languages anywhere in the user agent, with a version. */
const LIBRARY_VERSION =
  /\b(?:python|java|jdk|php|perl|ruby|golang|node|nodejs|deno|bun|rust|libcurl|curl|urllib|okhttp)(?:-[a-z]{1,20})?\/v?\d/i;
/** Go as a separate word in lowercase. Apps have names like Sports GO. */
const GO_VERSION = /(?:^|[\s(;,])go\/v?\d/;

/** Link or e-mail address. */
const CONTACT = /https?:\/\/|\bwww\.|mailto:|[([]at[)\]]|@[a-z0-9][a-z0-9-]{0,62}\.[a-z]/i;
/**
 * Domain. Doesn't count in apps, which have names like Radio.com. Requires a letter before the dot, because versions
 * can end with a country code: `1.7630.EU`.
 */
const CONTACT_DOMAIN =
  /[a-z][\d_-]{0,62}\.(?:com|org|net|io|ai|dev|app|info|eu|de|fr|uk|ru|cn|jp|edu|gov|example)(?:[^\w.-]|$)/i;
/** Links in browsers for people: QtWeb's, and those of a component that many applications show pages with. */
const CONTACT_OF_BROWSER = /\b(?:bsalsa\.com|QtWeb\.net)\b/i;
/** Links and domains up to the end of the word. They are removed for isbot, which would count the same fact again. */
const CONTACT_WORDS: readonly RegExp[] = [
  /(?:https?:\/\/|www\.|mailto:|@)[^\s;,)]*/gi,
  /\.(?:com|org|net|io|ai|dev|app|info|eu|de|fr|uk|ru|cn|jp|edu|gov|example)\b/gi,
];

/** Start of a browser's user agent: the system in parentheses, which some logs omit. */
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
/** Web views of Apple's systems, and consoles. */
const WEB_VIEW = /^Mozilla\/5\.0 \((?:Macintosh|iPhone|iPad|iPod|PlayStation)/i;
/** Typical introductions of crawlers. */
const INTRODUCTION = /\bcompatible; ?[a-z]|\(compatible\b|\(KHTML, like Gecko; ?[a-z]/i;
const LINK_AFTER_PLUS = /\+(?:https?:\/\/|www\.|[a-z][\w-]{0,62}\.(?:com|org|net|io|ai|dev)\b)/i;
/** Product with a version and a link. */
const LINK_AFTER_PRODUCT = /([a-z]{1,30})\/[\d.]{1,20};? \(?(?:via )?(?:https?:\/\/|www\.)/i;
/** Last product in a browser's user agent. A link after it may belong to an add-on. */
const LAST_PRODUCT = /^(?:Chrome|Edg[A-Z]?|Firefox|Gecko|Mobile|OPR|Safari|Version|\w*Browser)$/i;
/** Browsers whose user agents contain `compatible`, too. */
const COMPATIBLE_BROWSER =
  /^(?:Mozilla|Opera)\/[1-9]\.\d{1,2}(?: WebTV\/[\d.]{1,8})? ?\((?:[^()]{0,40}; )?compatible[;:] ?(?:MSP?IE ?\d|Amiga-AWeb|ANTFresco|Dillo|Gecko\/|Linux \d|NCBrowser|OffByOne|Polaris|Konqueror|ms-office|U;|IBrowse|NetPositive|iCab|Lotus-Notes|Opera|OmniWeb|AOL|AWeb|NetFront|Voyager)|\(compatible; (?:MSIE \d{1,2}\.\d{1,2}; Windows (?:CE|Phone)|ANTGalio|Linux \w{1,10}\)|Teleca)/i;

/** System that only counts in a browser's user agent. Elsewhere, programs name it, too. */
const LINUX = /^Mozilla\/5\.0 \((?:U; )?(?:GNU\/)?Linux\b/i;

/** Mistakes in handwritten user agents: a leading quote, or the name of the header. */
const HANDWRITTEN = /^(?:["'`]|user-?agent\b)/i;
/** Nothing after a desktop's system. Outlook and the first previews of Windows 10 Mobile also have this form. */
const SYSTEM_ONLY = /^Mozilla\/[45]\.0 \((?:Windows|X11|Macintosh)[^)]*\)(?: Chrome)?$/;
const SYSTEM_ONLY_OF_PEOPLE = /Windows Phone|Trident\//;
/** Mistakes that a log can also cause: Chrome without a version, a truncated version, or a trailing quote. */
const MISTAKE = /\) Chrome(?:[ ;]|$)| Safari\/537\.3$|["'`]$/;

/** Patterns of isbot to skip, because they check the form of a user agent, or match browsers and apps for people. */
const ISBOT_FORM =
  /^\^(?:[^a-z]|(?:active|amaya|ddg|downcast|duckduckgo|exodus|facebook|mozilla|navermail|netsurf|snapchat|whatsapp|yahoo|yandex))|^[;@]|^\\[d(|]|^\\b\\w|\.com|chromeframe|firephp|browsex|offbyone|ibisbrowser|powermarks|torrent|google\(\?|server|agent\\b|^(?:catch|java\(|proxy|sogou)/;
/** Browser add-ons and parts of apps that isbot matches. */
const ADD_ON = /\b(?:GWX:|HbTools |MSN Optimized|QQDownload |Process\/tools|Splashtop)/i;
const hasWordOfBot = createIsbotFromList(list.filter((pattern) => !ISBOT_FORM.test(pattern)));

/** Age in years at which hardly anyone uses a version, and at which it can't open HTTPS sites for lack of TLS 1.2. */
const [OLD_YEARS, OBSOLETE_YEARS] = [8, 15];

/**
 * Returns the signs of a program in a user agent, in the order of `AUTOMATION_SIGNS`. Each fact counts as one sign.
 * Runs in linear time.
 *
 * @param at Time of the request, in milliseconds since the epoch. Logs may be years old.
 */
export function userAgentSigns(userAgent: string, at: number): AutomationSign[] {
  if (userAgent.trim() === '') return ['no_user_agent'];
  const signs: AutomationSign[] = [];
  const isHandwritten =
    HANDWRITTEN.test(userAgent) || (SYSTEM_ONLY.test(userAgent) && !SYSTEM_ONLY_OF_PEOPLE.test(userAgent));
  const isCompatibleBrowser = COMPATIBLE_BROWSER.test(userAgent);
  const isOther = isCompatibleBrowser || isPeoplesProgram(userAgent);
  const hasForm = hasFormOfBrowser(userAgent);
  const isBrowser = isOther || hasForm;
  const isApp = !isBrowser && namesDevice(userAgent);
  const named = withoutModel(userAgent);
  const hasBotName = BOT_NAME.test(named) || (hasForm && hasNameOnDesktop(named));
  const isLibrary = !isBrowser && namesLibrary(userAgent, isApp);
  const hasLink = CONTACT.test(userAgent) || (!isApp && CONTACT_DOMAIN.test(userAgent));
  const isContact = hasLink && !CONTACT_OF_BROWSER.test(userAgent);
  const isIntroduced =
    LINK_AFTER_PLUS.test(userAgent) ||
    (!isCompatibleBrowser && INTRODUCTION.test(userAgent)) ||
    (hasForm && isContact && hasLinkAfterProduct(userAgent));
  const hasPlatform = isOther || isApp || namesPlatform(userAgent) || (hasForm && LINUX.test(userAgent));
  const age = claimedBrowser(userAgent)?.ageInYears(at) ?? 0;
  if (hasBotName) signs.push('bot_name');
  if (isLibrary) signs.push('http_library');
  if (isIntroduced) signs.push('compatible_name');
  if (!isBrowser && !hasPlatform) signs.push('bare_name');
  if (isHandwritten) signs.push('handwritten');
  if (isBrowser && neverExisted(userAgent, at) && !isDevice(userAgent)) signs.push('impossible_browser');
  if (age > OBSOLETE_YEARS) signs.push('obsolete_browser');
  if (!isBrowser && hasPlatform && !isHandwritten) signs.push('not_a_browser');
  if (isBrowser && !hasPlatform) signs.push('no_system');
  if (MISTAKE.test(userAgent)) signs.push('mistake');
  if (isContact) signs.push('contact');
  // isbot matches the same words as the signs above. It also matches words such as feed, news and download, which are
  // common in names of apps.
  const isNamed = hasBotName || isLibrary || isApp || ADD_ON.test(userAgent);
  if (!isNamed && hasWordOfBot(hasLink ? withoutContacts(named) : named)) signs.push('isbot');
  if (age > OLD_YEARS && age <= OBSOLETE_YEARS) signs.push('old_browser');
  return signs;
}

function namesLibrary(userAgent: string, isApp: boolean): boolean {
  const product = PRODUCT.exec(userAgent)?.[0] ?? '';
  if (LIBRARY.test(product) || LIBRARY_WORD.test(product) || (!isApp && CLIENT_WORD.test(product))) return true;
  return LIBRARY_VERSION.test(userAgent) || GO_VERSION.test(userAgent);
}

const hasNameOnDesktop = (named: string): boolean =>
  (NAME_ON_DESKTOP.test(named) || AGENT_ON_DESKTOP.test(named)) && !namesDevice(named);

function hasLinkAfterProduct(userAgent: string): boolean {
  const product = LINK_AFTER_PRODUCT.exec(userAgent)?.[1];
  return product !== undefined && !LAST_PRODUCT.test(product);
}

function hasFormOfBrowser(userAgent: string): boolean {
  if (!BROWSER_START.test(userAgent)) return false;
  if (userAgent.endsWith('(KHTML, like Gecko)') && WEB_VIEW.test(userAgent)) return true;
  return ENGINES.some(([engine, browser]) => engine.test(userAgent) && browser.test(userAgent));
}

const withoutModel = (userAgent: string): string => userAgent.replace(MODEL, '$1').replace(MODEL_WITH_BUILD, '');

const withoutContacts = (userAgent: string): string =>
  CONTACT_WORDS.reduce((text, words) => text.replaceAll(words, ' '), userAgent);
