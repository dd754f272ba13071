import { analyzePattern, type PatternNode } from '#libs/agents';

const SYSTEMS = [
  'Windows NT 0; Win0; x0',
  'Macintosh; Intel Mac OS X 0',
  'X0; Linux x0',
  'X0; CrOS x0 0',
  'Linux; Android 0; K',
  'iPhone; CPU iPhone OS 0 like Mac OS X',
  'iPad; CPU OS 0 like Mac OS X',
];
const FIREFOX_SYSTEMS = [
  'Windows NT 0; Win0; x0',
  'Macintosh; Intel Mac OS X 0',
  'X0; Linux x0',
  'X0; Ubuntu; Linux x0',
  'Android 0; Mobile',
];
const ENGINES = ['', ' Version/0', ' Chrome/0', ' CriOS/0', ' SamsungBrowser/0 Chrome/0'];

/**
 * User-Agents of current browsers on current systems. Each is a sequence of parts, and each part lists its alternatives.
 * A `0` represents any digits, dots and underscores.
 */
const BROWSERS = [
  [
    ['Mozilla/0 ('],
    SYSTEMS,
    [') AppleWebKit/0 (KHTML, like Gecko)'],
    ENGINES,
    ['', ' Mobile', ' Mobile/0E0'],
    ['', ' Safari/0'],
    ['', ' Edg/0', ' OPR/0'],
  ],
  [['Mozilla/0 ('], FIREFOX_SYSTEMS, ['; rv:0) Gecko/0 Firefox/0']],
];

const NUMBER = /[\d._]+/g;

/**
 * Returns an expression that matches the User-Agents of ordinary browsers, ignoring case. A server that checks it first
 * can skip all other rules for most visitors.
 *
 * @param blocked Patterns of the agents to block.
 * @returns null if one of the patterns might match an ordinary browser.
 */
export function plainBrowsers(blocked: readonly PatternNode[]): string | null {
  return blocked.every(cannotMatch) ? EXPRESSION : null;
}

function cannotMatch(pattern: PatternNode): boolean {
  let isKnownAbsent = cannotMatchCache.get(pattern);
  if (isKnownAbsent === undefined) {
    isKnownAbsent = cannotOccur(pattern);
    cannotMatchCache.set(pattern, isKnownAbsent);
  }
  return isKnownAbsent;
}

const EXPRESSION = `^(?:${BROWSERS.map((parts) => parts.map(toAlternatives).join('')).join('|')})\\z`;

function toAlternatives(texts: string[]): string {
  const expressions = texts.map((text) => text.replaceAll(/[().]/g, '\\$&').replaceAll('0', '[0-9._]+'));
  return texts.length === 1 ? expressions[0]! : `(?:${expressions.join('|')})`;
}

const USER_AGENTS = BROWSERS.flatMap((parts) =>
  parts.reduce((heads, texts) => heads.flatMap((head) => texts.map((text) => head + text)), ['']),
)
  .join('\n')
  .toLowerCase();

const cannotMatchCache = new WeakMap<PatternNode, boolean>();

/** Returns true if the pattern or a part of it requires text that none of the User-Agents contain. */
function cannotOccur(pattern: PatternNode): boolean {
  const parts = pattern.kind === 'sequence' ? pattern.parts : [];
  return (
    requiresOthers(pattern) ||
    parts.some(
      (_, index) =>
        requiresOthers({ kind: 'sequence', parts: parts.slice(0, index) }) ||
        requiresOthers({ kind: 'sequence', parts: parts.slice(index) }),
    )
  );
}

function requiresOthers(node: PatternNode): boolean {
  const { literals } = analyzePattern(node);
  // Replace numbers with 0, as in BROWSERS, so that text from a real User-Agent can be found.
  const texts = literals.map((literal) => literal.replaceAll(NUMBER, '0'));
  return texts.length > 0 && texts.every((text) => !USER_AGENTS.includes(text));
}
