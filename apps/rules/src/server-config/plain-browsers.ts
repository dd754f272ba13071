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
 * User-Agents that browsers send, cut down to systems and versions as they are now: parts one after the other, each one
 * of several texts. A `0` stands for digits, dots and underscores.
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
 * An expression for nine of ten people's User-Agents, ignoring case. Looked at first, it spares a server all others.
 *
 * @param refused patterns of which none may match in such a User-Agent.
 * @returns `null` where it can't be ruled out that one does.
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

/** One a line. */
const USER_AGENTS = BROWSERS.flatMap((parts) =>
  parts.reduce((heads, texts) => heads.flatMap((head) => texts.map((text) => head + text)), ['']),
)
  .join('\n')
  .toLowerCase();

/** What was found out about patterns; the same ones are asked about with each request. */
const absent = new WeakMap<PatternNode, boolean>();

/** Whether the pattern, or else a part of it, requires texts that no such User-Agent holds. */
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
  // With numbers made alike on both sides, whatever occurs in a User-Agent occurs in what it was cut down to.
  const texts = literals.map((literal) => literal.replaceAll(NUMBER, '0'));
  return texts.length > 0 && texts.every((text) => !USER_AGENTS.includes(text));
}
