/** Words after an agent's name that turn it into the name of a tool, such as `GPTBot blocker`. */
const TOOL_SUFFIX =
  /^[ _-](?:allow|anti|block|check|detect|emulat|fake|filter|guard|reject|shield|simulat|spoof|test|verif)/i;
/** Words before an agent's name that turn it into the name of a tool, or into part of a sentence. */
const TOOL_PREFIX =
  /(?:^|[ (;,["'])(?:against|bans?|den(?:y|ies)|like|non?|not|stops?|without|(?:allow|anti|block|check|detect|disallow|emulat|fake|filter|forbid|refus|reject|simulat|spoof|test|verif)[a-z]{0,8}):? $/i;
const MAX_AFFIX_CHARACTERS = 24;

/** Names that can have a variant after a hyphen, such as `SemrushBot-SA`, but never after a space. */
const NAME_WITH_VARIANTS = /(?:bot|crawler|spider)$/i;
/** Text before an agent's name in the comment of a browser's User-Agent. */
const BROWSER_COMMENT = /^(?:compatible|(?:KHTML|via)\b.*),?$/i;
const VERSION = /^(?:\/|[ _-]v?\d)/i;

/**
 * Returns true if a name that continues after a hyphen or underscore at `end` is a variant of the agent rather than
 * another product. `SemrushBot-SA` is a variant, but `gptbot-blocker` isn't.
 */
export function isVariant(text: string, start: number, end: number): boolean {
  if (!NAME_WITH_VARIANTS.test(text.slice(start, end))) return false;
  const nextCode = text.charCodeAt(end + 1);
  return !(nextCode >= 0x61 && nextCode <= 0x7a) && !TOOL_SUFFIX.test(text.slice(end, end + MAX_AFFIX_CHARACTERS));
}

/**
 * Returns true if the name from `start` to `end` is a word in a sentence rather than a product, as in `(blocks GPTBot)`.
 *
 * In a comment, a product either starts an item, or has a version and doesn't follow a lowercase word.
 */
export function isProse(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(end) === SPACE && isFollowedByWords(text, start, end)) return true;
  if (text.charCodeAt(start - 1) !== SPACE || !canPrecedeName(text.charCodeAt(start - 2))) return false;
  if (TOOL_PREFIX.test(text.slice(Math.max(0, start - MAX_AFFIX_CHARACTERS), start))) return true;
  if (text.slice(start, end).includes('.')) return false;
  if (!isInComment(text, start)) return false;
  const item = text.slice(findItemStart(text, start), start).trim();
  if (BROWSER_COMMENT.test(item) || item.endsWith(':')) return false;
  return !VERSION.test(text.slice(end, end + 3)) || /(?:^| )[a-z]+$/.test(item);
}

function isFollowedByWords(text: string, start: number, end: number): boolean {
  const nextCode = text.charCodeAt(end + 1);
  if (!isLetter(nextCode) || !NAME_WITH_VARIANTS.test(text.slice(start, end))) return false;
  if (TOOL_SUFFIX.test(text.slice(end, end + MAX_AFFIX_CHARACTERS))) return true;
  return nextCode >= 0x61 && !text.startsWith('http', end + 1) && isInComment(text, start);
}

const isInComment = (text: string, position: number): boolean =>
  text.lastIndexOf('(', position) > text.lastIndexOf(')', position);

function findItemStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && !ITEM_ENDS.has(text.charCodeAt(start - 1))) start--;
  return start;
}

const SPACE = 0x20;
const COMMA = 0x2c;
const COLON = 0x3a;
const ITEM_ENDS: ReadonlySet<number> = new Set([...';()[]{}"'].map((character) => character.charCodeAt(0)));
const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
const canPrecedeName = (code: number): boolean => isLetter(code) || code > 0x7f || code === COMMA || code === COLON;
