/** Words after an agent's name that make it a tool for dealing with the agent. */
const ABOUT_AFTER =
  /^[ _-](?:allow|anti|block|check|detect|emulat|fake|filter|guard|reject|shield|simulat|spoof|test|verif)/i;
/** Words before an agent's name that make it a tool for dealing with the agent, or part of a sentence. */
const ABOUT_BEFORE =
  /(?:^|[ (;,["'])(?:against|bans?|den(?:y|ies)|like|non?|not|stops?|without|(?:allow|anti|block|check|detect|disallow|emulat|fake|filter|forbid|refus|reject|simulat|spoof|test|verif)[a-z]{0,8}):? $/i;
const MAX_ABOUT_CHARACTERS = 24;

/**
 * Names that may have a variant after a hyphen, such as `SemrushBot-SA`. A word after a space is never part of them.
 */
const HAS_VARIANTS = /(?:bot|crawler|spider)$/i;
/** Text in front of an agent's name in the comment of a browser's User-Agent. */
const BROWSER_COMMENT = /^(?:compatible|(?:KHTML|via)\b.*),?$/i;
const VERSION = /^(?:\/|[ _-]v?\d)/i;

/**
 * Returns whether a name that continues after a hyphen or underscore, at `end`, is a variant of the agent instead of
 * another product. `SemrushBot-SA` is a variant, but `gptbot-blocker` isn't.
 */
export function isVariant(text: string, start: number, end: number): boolean {
  if (!HAS_VARIANTS.test(text.slice(start, end))) return false;
  const following = text.charCodeAt(end + 1);
  return !(following >= 0x61 && following <= 0x7a) && !ABOUT_AFTER.test(text.slice(end, end + MAX_ABOUT_CHARACTERS));
}

/**
 * Returns whether the name from `start` to `end` is a word in a sentence instead of a product, as in `(blocks GPTBot)`.
 *
 * In a comment, a product starts an item, or has a version and no lowercase word before it.
 */
export function isProse(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(end) === SPACE && isFollowedByWords(text, start, end)) return true;
  if (text.charCodeAt(start - 1) !== SPACE || !mayPrecede(text.charCodeAt(start - 2))) return false;
  if (ABOUT_BEFORE.test(text.slice(Math.max(0, start - MAX_ABOUT_CHARACTERS), start))) return true;
  if (text.slice(start, end).includes('.')) return false;
  if (!isInComment(text, start)) return false;
  const item = text.slice(itemStart(text, start), start).trim();
  if (BROWSER_COMMENT.test(item) || item.endsWith(':')) return false;
  return !VERSION.test(text.slice(end, end + 3)) || /(?:^| )[a-z]+$/.test(item);
}

function isFollowedByWords(text: string, start: number, end: number): boolean {
  const following = text.charCodeAt(end + 1);
  if (!isLetter(following) || !HAS_VARIANTS.test(text.slice(start, end))) return false;
  if (ABOUT_AFTER.test(text.slice(end, end + MAX_ABOUT_CHARACTERS))) return true;
  return following >= 0x61 && !text.startsWith('http', end + 1) && isInComment(text, start);
}

const isInComment = (text: string, position: number): boolean =>
  text.lastIndexOf('(', position) > text.lastIndexOf(')', position);

function itemStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && !ITEM_ENDS.has(text.charCodeAt(start - 1))) start--;
  return start;
}

const SPACE = 0x20;
const COMMA = 0x2c;
const COLON = 0x3a;
const ITEM_ENDS: ReadonlySet<number> = new Set([...';()[]{}"'].map((character) => character.charCodeAt(0)));
const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
const mayPrecede = (code: number): boolean => isLetter(code) || code > 0x7f || code === COMMA || code === COLON;
