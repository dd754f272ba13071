import { REDACTED } from '../credential-text.js';
import { AUTOMATION_SIGNS, type AutomationSign } from '../vocabulary.js';
import { claimedBrowser } from './browser-age.js';
import { userAgentClaim, type UserAgentClaim } from './client-hints.js';
import { factsOf, headerSigns } from './header-facts.js';
import { signerGroup } from './signer-group.js';
import { boundedUserAgent, userAgentMemory } from '../user-agent-memory.js';
import { userAgentGroup } from './user-agent-group.js';
import { userAgentSigns } from './user-agent-signs.js';

/** Judgment of whether a program made a visit. */
export interface AutomationJudgment {
  verdict: 'likely' | 'unclear' | 'unlikely';
  /** In the order of `AUTOMATION_SIGNS`. */
  signs: AutomationSign[];
  /**
   * Name of the program to group visits by: the user agent without versions, or the signer. Absent if there are no
   * signs.
   */
  user_agent_group?: string;
}

interface JudgedVisit {
  /** Headers as reported. Names are case-insensitive. */
  headers: Readonly<Record<string, unknown>>;
  /** Path, including the query. */
  path: string;
  /** Time of the visit, in milliseconds since the epoch. */
  at: number;
  /** Whether the client address is in a known data center. Default: false. */
  isInDataCenter?: boolean;
}

/** Period after which a user agent is judged again, because browsers get older and new versions appear. */
const PERIOD_MS = 90 * 86_400_000;
/** Age in years from which a browser without its usual client hints is suspicious. */
const OLD_YEARS = 3;

interface KnownUserAgent {
  period: number;
  judgment: AutomationJudgment;
  /** Whether the browser version sends client hints and is older than {@link OLD_YEARS}. */
  isOldWithHints: boolean;
  claim: UserAgentClaim;
}

/**
 * Judges by a visit's reported data whether a program made it. Makes no lookups. Data that a source doesn't report
 * isn't held against the visitor.
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
      // A regular browser's user agent doesn't identify the program, but the signer does.
      const signer = byUserAgent.user_agent_group === undefined ? signerGroup(facts.signatureAgent) : null;
      const group = signer ?? byUserAgent.user_agent_group ?? userAgentGroup(facts.userAgent ?? '');
      judgment = judgmentOf(
        ALL_SIGNS.filter((sign) => signs.has(sign)),
        group,
      );
    }
    // Some sources don't report user agents, so a missing one is inconclusive.
    return isUnreported ? { ...judgment, verdict: 'unclear' } : judgment;
  }

  private byUserAgent(userAgent: string, at: number): KnownUserAgent {
    const text = boundedUserAgent(userAgent);
    const period = Math.floor(at / PERIOD_MS);
    const known = this.remembered.get(text);
    if (known !== undefined && known.period === period) return known;
    // Redaction isn't held against the visitor.
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

/** Signs that are sufficient on their own. Software for people doesn't have them. */
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
/** Signs of the same fact, which count once. Every other sign is a separate fact. */
const FACTS: Readonly<Partial<Record<AutomationSign, string>>> = {
  not_a_browser: 'form',
  no_system: 'form',
  mistake: 'form',
  obsolete_browser: 'age',
  old_browser: 'age',
};

/**
 * Derives the verdict from signs. Without a conclusive one, `likely` requires two facts, because each may have a
 * harmless reason.
 */
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
