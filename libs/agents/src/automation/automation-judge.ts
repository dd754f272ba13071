import { REDACTED } from '../credential-text.js';
import { AUTOMATION_SIGNS, type AutomationSign } from '../vocabulary.js';
import { parseClaimedBrowser } from './browser-age.js';
import { parseUserAgentClaim, type UserAgentClaim } from './client-hints.js';
import { hasAppForm } from './known-platforms.js';
import { extractFacts, headerSigns } from './header-facts.js';
import { toSignerGroup } from './signer-group.js';
import { truncateUserAgent, createUserAgentCache } from '../user-agent-cache.js';
import { toUserAgentGroup } from './user-agent-group.js';
import { findUserAgentSigns } from './user-agent-signs.js';

export interface AutomationJudgment {
  verdict: 'likely' | 'unclear' | 'unlikely';
  /** Signs of automation, in the order of `AUTOMATION_SIGNS`. */
  signs: AutomationSign[];
  /**
   * Program name for grouping visits: the signer, or the user agent without version numbers. Undefined if there are no
   * signs.
   */
  user_agent_group?: string;
}

interface JudgedVisit {
  /** Reported headers. Their names are case-insensitive. */
  headers: Readonly<Record<string, unknown>>;
  /** Path with query string. */
  path: string;
  /** Time of the visit, in milliseconds since the epoch. */
  at: number;
  /** Whether the client address belongs to a known data center. Default: false. */
  isInDataCenter?: boolean;
}

/** Cached judgments expire after this period, because browsers age and new versions are released. */
const CACHE_PERIOD_MS = 90 * 86_400_000;
/** Age in years above which a browser without its usual client hints is suspicious. */
const MAX_AGE_WITHOUT_HINTS_YEARS = 3;

interface CachedUserAgent {
  period: number;
  judgment: AutomationJudgment;
  /** Whether the browser version supports client hints and is older than {@link MAX_AGE_WITHOUT_HINTS_YEARS}. */
  isOldWithHints: boolean;
  /** Whether the user agent has the form of an app's. */
  isApp: boolean;
  claim: UserAgentClaim;
}

/**
 * Judges whether a visit was automated, based only on its reported data. Missing data doesn't count as a sign if the
 * source doesn't report it.
 */
export class AutomationJudge {
  private readonly userAgentCache = createUserAgentCache<CachedUserAgent>(20_000, 400);

  judge({ headers, path, at, isInDataCenter = false }: JudgedVisit): AutomationJudgment {
    const facts = extractFacts(headers);
    const {
      judgment: userAgentJudgment,
      isOldWithHints,
      isApp,
      claim,
    } = this.judgeUserAgent(facts.userAgent ?? '', at);
    const found = headerSigns(facts, claim);
    // Unlike browsers, many apps don't send the header.
    if (facts.isReported && !facts.hasLanguage && !isApp) found.push('no_accept_language');
    if (facts.isReported && facts.hints === null && isOldWithHints) found.push('old_browser');
    if (path.startsWith('/robots.txt') && (path.length === 11 || path[11] === '?')) found.push('robots_txt');
    const isUnreported = facts.userAgent === null && !facts.isReported && found.length === 0;
    if (isInDataCenter) found.push('data_center');
    let judgment = userAgentJudgment;
    if (found.length > 0) {
      const signs = new Set([...userAgentJudgment.signs, ...found]);
      // The signer identifies a program that sends a regular browser's user agent.
      const signer = userAgentJudgment.user_agent_group === undefined ? toSignerGroup(facts.signatureAgent) : null;
      const group = signer ?? userAgentJudgment.user_agent_group ?? toUserAgentGroup(facts.userAgent ?? '');
      judgment = toJudgment(
        ALL_SIGNS.filter((sign) => signs.has(sign)),
        group,
      );
    }
    // Some sources don't report user agents, so a missing user agent is inconclusive.
    return isUnreported ? { ...judgment, verdict: 'unclear' } : judgment;
  }

  private judgeUserAgent(userAgent: string, at: number): CachedUserAgent {
    const text = truncateUserAgent(userAgent);
    const period = Math.floor(at / CACHE_PERIOD_MS);
    const cached = this.userAgentCache.get(text);
    if (cached !== undefined && cached.period === period) return cached;
    // A redacted user agent is not a sign of automation.
    const signs = text === REDACTED ? [] : findUserAgentSigns(text, period * CACHE_PERIOD_MS);
    const judgment = toJudgment(signs, signs.length === 0 ? '' : toUserAgentGroup(text));
    const found = {
      period,
      judgment,
      isOldWithHints: isOldWithHints(text, period * CACHE_PERIOD_MS),
      isApp: hasAppForm(text),
      claim: parseUserAgentClaim(text),
    };
    this.userAgentCache.set(text, found);
    return found;
  }
}

const ALL_SIGNS = Object.keys(AUTOMATION_SIGNS) as AutomationSign[];

/** Signs that are sufficient on their own, because software that people use never shows them. */
const CONCLUSIVE_SIGNS: ReadonlySet<AutomationSign> = new Set<AutomationSign>([
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
/** Groups of signs that count only once. Any other sign counts on its own. */
const SIGN_GROUPS: Readonly<Partial<Record<AutomationSign, string>>> = {
  not_a_browser: 'form',
  no_system: 'form',
  mistake: 'form',
  obsolete_browser: 'age',
  old_browser: 'age',
};

/** Without a conclusive sign, `likely` requires two independent signs, because each could have a harmless cause. */
function toJudgment(signs: AutomationSign[], group: string): AutomationJudgment {
  if (signs.length === 0) return { verdict: 'unlikely', signs };
  const facts = new Set(signs.map((sign) => SIGN_GROUPS[sign] ?? sign));
  const isLikely = facts.size > 1 || signs.some((sign) => CONCLUSIVE_SIGNS.has(sign));
  return { verdict: isLikely ? 'likely' : 'unclear', signs, user_agent_group: group };
}

function isOldWithHints(userAgent: string, at: number): boolean {
  const browser = parseClaimedBrowser(userAgent);
  return browser !== null && browser.sendsClientHints && browser.ageInYears(at) > MAX_AGE_WITHOUT_HINTS_YEARS;
}
