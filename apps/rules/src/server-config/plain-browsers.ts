import { needsOf, type PatternNode } from '#libs/agents';

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
 * User-Agents of browsers, reduced to current systems and versions. Each is a sequence of parts with alternatives. A
 * `0` stands for digits, dots and underscores.
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
 * Returns an expression that matches most people's User-Agents, ignoring case. If a server checks it first, it can skip
 * all other rules for most visitors.
 *
 * @param refused Patterns that must not match such a User-Agent.
 * @returns `null` if one of the patterns might match.
 */
export function plainBrowsers(refused: readonly PatternNode[]): string | null {
  return refused.every(isAbsent) ? EXPRESSION : null;
}

function isAbsent(pattern: PatternNode): boolean {
  let known = absent.get(pattern);
  if (known === undefined) {
    known = cannotOccur(pattern);
    absent.set(pattern, known);
  }
  return known;
}

const EXPRESSION = `^(?:${BROWSERS.map((parts) => parts.map(anyOf).join('')).join('|')})\\z`;

function anyOf(texts: string[]): string {
  const expressions = texts.map((text) => text.replaceAll(/[().]/g, '\\$&').replaceAll('0', '[0-9._]+'));
  return texts.length === 1 ? expressions[0]! : `(?:${expressions.join('|')})`;
}

const USER_AGENTS = BROWSERS.flatMap((parts) =>
  parts.reduce((heads, texts) => heads.flatMap((head) => texts.map((text) => head + text)), ['']),
)
  .join('\n')
  .toLowerCase();

const absent = new WeakMap<PatternNode, boolean>();

/** Returns true if the pattern, or a part of it, requires text that none of the User-Agents contains. */
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
  const { literals } = needsOf(node);
  // Numbers become 0 on both sides, so text from a real User-Agent is also found in its reduced form.
  const texts = literals.map((literal) => literal.replaceAll(NUMBER, '0'));
  return texts.length > 0 && texts.every((text) => !USER_AGENTS.includes(text));
}
