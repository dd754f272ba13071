import { REDACTED } from '../credential-text.js';
import { AUTOMATION_SIGNS, type AutomationSign } from '../vocabulary.js';
import { claimedBrowser } from './browser-age.js';
import { userAgentClaim, type UserAgentClaim } from './client-hints.js';
import { factsOf, headerSigns } from './header-facts.js';
import { signerGroup } from './signer-group.js';
import { boundedUserAgent, userAgentMemory } from '../user-agent-memory.js';
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
interface JudgedVisit {
  /** As they were posted; names in any case. */
  headers: Readonly<Record<string, unknown>>;
  /** With its query. */
  path: string;
  /** When it occurred, in milliseconds since the epoch. */
  at: number;
  /** Whether its client address is in a data center, as far as that is known. */
  isInDataCenter?: boolean;
}

/** Signs of user agents change with the time of the visit, if slowly. */
const PERIOD_MS = 90 * 86_400_000;
/** Years of a browser's version that is too old to be without client hints. */
const OLD_YEARS = 3;

interface KnownUserAgent {
  period: number;
  judgment: AutomationJudgment;
  /** Whether it is of a browser that sends client hints and is older than {@link OLD_YEARS}. */
  isOldWithHints: boolean;
  claim: UserAgentClaim;
}

/**
 * Judges by what is known of a visit whether a program made it. Nothing is looked up, and what a source does not report
 * speaks against nobody.
 */
export class AutomationJudge {
  private readonly remembered = userAgentMemory<KnownUserAgent>(20_000, 400);

  judge({ headers, path, at, isInDataCenter = false }: JudgedVisit): AutomationJudgment {
    const facts = factsOf(headers);
    const { judgment: byUserAgent, isOldWithHints, claim } = this.byUserAgent(facts.userAgent ?? '', at);
    const found = headerSigns(facts, claim);
    if (facts.isReported && !facts.hasLanguage) found.push('no_accept_language');
    if (facts.isReported && facts.hints === null && isOldWithHints) found.push('old_browser');
    if (path.startsWith('/robots.txt') && (path.length === 11 || path[11] === '?')) found.push('robots_txt');
    const isUnreported = facts.userAgent === null && !facts.isReported && found.length === 0;
    if (isInDataCenter) found.push('data_center');
    let judgment = byUserAgent;
    if (found.length > 0) {
      const signs = new Set([...byUserAgent.signs, ...found]);
      // A browser's user agent names nobody who signed with it.
      const signer = byUserAgent.user_agent_group === undefined ? signerGroup(facts.signatureAgent) : null;
      const group = signer ?? byUserAgent.user_agent_group ?? userAgentGroup(facts.userAgent ?? '');
      judgment = judgmentOf(
        ALL_SIGNS.filter((sign) => signs.has(sign)),
        group,
      );
    }
    // A log has no user agent of a visitor that sent none, and one without that field has none of anybody.
    return isUnreported ? { ...judgment, verdict: 'unclear' } : judgment;
  }

  private byUserAgent(userAgent: string, at: number): KnownUserAgent {
    const text = boundedUserAgent(userAgent);
    const period = Math.floor(at / PERIOD_MS);
    const known = this.remembered.get(text);
    if (known !== undefined && known.period === period) return known;
    // What a project redacts speaks against nobody.
    const signs = text === REDACTED ? [] : userAgentSigns(text, period * PERIOD_MS);
    const judgment = judgmentOf(signs, signs.length === 0 ? '' : userAgentGroup(text));
    const found = {
      period,
      judgment,
      isOldWithHints: isOldWithHints(text, period * PERIOD_MS),
      claim: userAgentClaim(text),
    };
    this.remembered.set(text, found);
    return found;
  }
}

const ALL_SIGNS = Object.keys(AUTOMATION_SIGNS) as AutomationSign[];

/** Signs that decide on their own: nothing that people use has them. */
const CONCLUSIVE: ReadonlySet<AutomationSign> = new Set<AutomationSign>([
  'bot_name',
  'http_library',
  'compatible_name',
  'bare_name',
  'handwritten',
  'impossible_browser',
  'signed',
  'headless',
  'client_hints',
  'from_header',
  'markdown',
]);
/** Signs of one fact count as one; each of the others is a fact of its own. */
const FACTS: Readonly<Partial<Record<AutomationSign, string>>> = {
  not_a_browser: 'form',
  no_system: 'form',
  mistake: 'form',
  obsolete_browser: 'age',
  old_browser: 'age',
};

/** Any other sign may have a reason of somebody's own, so it takes two, of different facts. */
function judgmentOf(signs: AutomationSign[], group: string): AutomationJudgment {
  if (signs.length === 0) return { verdict: 'unlikely', signs };
  const facts = new Set(signs.map((sign) => FACTS[sign] ?? sign));
  const isLikely = facts.size > 1 || signs.some((sign) => CONCLUSIVE.has(sign));
  return { verdict: isLikely ? 'likely' : 'unclear', signs, user_agent_group: group };
}

function isOldWithHints(userAgent: string, at: number): boolean {
  const browser = claimedBrowser(userAgent);
  return browser !== null && browser.sendsClientHints && browser.ageInYears(at) > OLD_YEARS;
}
