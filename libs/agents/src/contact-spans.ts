/** Position of a URL, host name or email address in a text. `end` is exclusive. */
export interface ContactSpan {
  start: number;
  end: number;
  /** Whether this is a host name without a scheme, with or without a path. Some agents have names of this form. */
  isBareHost: boolean;
}

const ITEM = /[^\s"<>()[\]{};,|'`]+/g;
const ENDS_URL = /[\s"<>]/;
const SCHEME_CHARACTER = /[A-Za-z\d+.-]/;
const LOCAL_PART_CHARACTER = /[\w.+%-]/;
/** `at` in any brackets, as in `info[at]example.com`. */
const BRACKETED_AT = /^[([{]at[)\]}]$/i;
const HOST_END = /[/?#:]/;
const HOST_LABEL = /^[\w-]+$/;
const TOP_LEVEL_DOMAIN = /^[a-z]{2,24}$/i;
const VERSION_PATH = /^\/v?\d[\d.]*[a-z]?$/i;
const LETTER = /[a-z]/i;

/**
 * Finds the URLs, host names and email addresses in a User-Agent, in order. Skips host names followed by a version,
 * such as `example.com/1.0`, because they are product names.
 */
export function findContactSpans(text: string): ContactSpan[] {
  const spans: ContactSpan[] = [];
  for (const { 0: item, index } of text.matchAll(ITEM)) {
    if (index < (spans.at(-1)?.end ?? 0)) continue;
    const end = index + item.length;
    const scheme = item.indexOf('://');
    const at = BRACKETED_AT.test(text.slice(end, end + 4)) ? item.length : item.indexOf('@');
    if (scheme > 0) {
      const start = index + findRunStart(item, scheme, SCHEME_CHARACTER);
      spans.push({ start, end: findUrlEnd(text, start), isBareHost: false });
    } else if (at > 0 && at !== item.length - 1) {
      spans.push({ start: index + findRunStart(item, at, LOCAL_PART_CHARACTER), end, isBareHost: false });
    } else if (isHostName(item)) spans.push({ start: index, end, isBareHost: true });
  }
  return spans;
}

function findRunStart(item: string, end: number, character: RegExp): number {
  let start = end;
  while (start > 0 && character.test(item[start - 1]!)) start--;
  return start;
}

/** Returns the exclusive end of a URL. Balanced parentheses are part of the URL. */
function findUrlEnd(text: string, start: number): number {
  let openParentheses = 0;
  for (let end = start; end < text.length; end++) {
    const character = text[end]!;
    if (ENDS_URL.test(character)) return end;
    if (character === '(') openParentheses += 1;
    if (character === ')' && --openParentheses < 0) return end;
  }
  return text.length;
}

function isHostName(item: string): boolean {
  const address = item.replace(/^[+*=~:]{1,3}/, '');
  const length = address.search(HOST_END);
  const labels = (length === -1 ? address : address.slice(0, length)).split('.');
  if (labels.length < 2 || !TOP_LEVEL_DOMAIN.test(labels.at(-1)!) || !LETTER.test(labels.at(-2)!)) return false;
  return (
    labels.every((label) => HOST_LABEL.test(label)) && !(length !== -1 && VERSION_PATH.test(address.slice(length)))
  );
}
