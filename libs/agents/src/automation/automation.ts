import { LRUCache } from 'lru-cache';
import { REDACTED } from '../credential-text.js';
import { AUTOMATION_SIGNS, type AutomationSign } from '../vocabulary.js';
import { claimedBrowser } from './browser-age.js';
import { userAgentGroup } from './user-agent-group.js';
import { userAgentSigns } from './user-agent-signs.js';

/** Whether a program made a visit, and what speaks for it. */
export interface AutomationJudgment {
  verdict: 'likely' | 'unclear' | 'unlikely';
  /** In the order of the vocabulary. */
  signs: AutomationSign[];
  /** The user agent without versions; absent where it is unlikely. */
  user_agent_group?: string;
}

/** What is looked at of a visit. */
export interface JudgedVisit {
  /** As they were posted; names in any case. */
  headers: Readonly<Record<string, unknown>>;
  /** With its query. */
  path: string;
  /** When it occurred, in milliseconds since the epoch. */
  at: number;
  /** Whether its client address is in a data center, as far as that is known. */
  isInDataCenter?: boolean;
}

/** Characters of a user agent that are looked at, as identification does. */
const MAX_USER_AGENT_CHARACTERS = 4_096;
const REMEMBERED = { max: 20_000, maxSize: 8 * 1_024 * 1_024, overhead: 400 };
/** Signs of user agents change with the time of the visit, if slowly. */
const PERIOD_MS = 90 * 86_400_000;
/** Years of a browser's version that is too old to be without client hints. */
const OLD_YEARS = 3;

interface KnownUserAgent {
  period: number;
  judgment: AutomationJudgment;
  /** Whether it is of a browser that sends client hints and is older than {@link OLD_YEARS}. */
  isOldWithHints: boolean;
}

/** What the headers of a visit say, in one pass: most visits are people's, and there are many. */
interface HeaderFacts {
  /** Null where none was reported. */
  userAgent: string | null;
  /** Whether there is Accept or Accept-Encoding, one of which browsers and next to all libraries send. */
  isReported: boolean;
  hasLanguage: boolean;
  hasClientHints: boolean;
}

/**
 * Judges by what is known of a visit whether a program made it. Nothing is looked up, and what a source does not report
 * speaks against nobody.
 */
export class AutomationJudge {
  private readonly remembered = new LRUCache<string, KnownUserAgent>({
    max: REMEMBERED.max,
    maxSize: REMEMBERED.maxSize,
    sizeCalculation: (_, text) => REMEMBERED.overhead + 2 * text.length,
  });

  judge({ headers, path, at, isInDataCenter = false }: JudgedVisit): AutomationJudgment {
    const facts = factsOf(headers);
    const { judgment: byUserAgent, isOldWithHints } = this.byUserAgent(facts.userAgent ?? '', at);
    const isRobotsTxt = path.startsWith('/robots.txt') && (path.length === 11 || path[11] === '?');
    const lacksLanguage = facts.isReported && !facts.hasLanguage;
    const lacksClientHints = facts.isReported && !facts.hasClientHints && isOldWithHints;
    let judgment = byUserAgent;
    if (isRobotsTxt || lacksLanguage || lacksClientHints || isInDataCenter) {
      const signs = new Set(byUserAgent.signs);
      if (lacksLanguage) signs.add('no_accept_language');
      if (lacksClientHints) signs.add('old_browser');
      if (isRobotsTxt) signs.add('robots_txt');
      if (isInDataCenter) signs.add('data_center');
      const group = byUserAgent.user_agent_group ?? userAgentGroup(facts.userAgent ?? '');
      judgment = judgmentOf(
        ALL_SIGNS.filter((sign) => signs.has(sign)),
        group,
      );
    }
    // A log has no user agent of a visitor that sent none, and one without that field has none of anybody.
    const isUnreported = facts.userAgent === null && !facts.isReported;
    return isUnreported && !isRobotsTxt ? { ...judgment, verdict: 'unclear' } : judgment;
  }

  private byUserAgent(userAgent: string, at: number): KnownUserAgent {
    const text =
      userAgent.length > MAX_USER_AGENT_CHARACTERS ? userAgent.slice(0, MAX_USER_AGENT_CHARACTERS) : userAgent;
    const period = Math.floor(at / PERIOD_MS);
    const known = this.remembered.get(text);
    if (known !== undefined && known.period === period) return known;
    // What a project redacts speaks against nobody.
    const signs = text === REDACTED ? [] : userAgentSigns(text, period * PERIOD_MS);
    const judgment = judgmentOf(signs, signs.length === 0 ? '' : userAgentGroup(text));
    const found = { period, judgment, isOldWithHints: isOldWithHints(text, period * PERIOD_MS) };
    this.remembered.set(text, found);
    return found;
  }
}

const ALL_SIGNS = Object.keys(AUTOMATION_SIGNS) as AutomationSign[];

/** No sign accuses alone: somebody may have each of them for a reason of their own. */
function judgmentOf(signs: AutomationSign[], group: string): AutomationJudgment {
  if (signs.length === 0) return { verdict: 'unlikely', signs };
  return { verdict: signs.length > 1 ? 'likely' : 'unclear', signs, user_agent_group: group };
}

function isOldWithHints(userAgent: string, at: number): boolean {
  const browser = claimedBrowser(userAgent);
  return browser !== null && browser.sendsClientHints && browser.ageInYears(at) > OLD_YEARS;
}

function factsOf(headers: Readonly<Record<string, unknown>>): HeaderFacts {
  const facts: HeaderFacts = { userAgent: null, isReported: false, hasLanguage: false, hasClientHints: false };
  for (const name in headers) {
    const value = headers[name];
    if (value === null || value === undefined) continue;
    // By length first: that tells nearly all others apart without making a name in lower case.
    switch (name.length) {
      case 6:
      case 15:
        switch (name.toLowerCase()) {
          case 'accept':
          case 'accept-encoding':
            facts.isReported = true;
            break;
          case 'accept-language':
            facts.hasLanguage = true;
        }
        break;
      case 9:
        if (name.toLowerCase() === 'sec-ch-ua') facts.hasClientHints = true;
        break;
      case 10:
        if (name.toLowerCase() === 'user-agent') facts.userAgent = textOf(value);
        break;
    }
  }
  return facts;
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value)).trim();
