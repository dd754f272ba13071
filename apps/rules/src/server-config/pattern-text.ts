/**
 * Regular expression dialect of a server. `pcre` (nginx, Apache, HAProxy) matches bytes, and `re2` (Caddy) matches
 * characters. Both ignore case.
 */
export type Dialect = 'pcre' | 're2';

/** Matches an escape sequence, a character class or any other character. */
const TOKENS = /\\.|\[(?:\\.|[^\]\\])+\]|./g;
const MEMBERS = /\\.|./g;
/**
 * Characters that don't need escaping. Others become `\xHH`, so that servers can't mistake them for quotes, variables,
 * comments or blocks.
 */
const UNESCAPED = /[A-Za-z0-9 _,:/@~=&!;<>-]/;
const OPERATORS = /[.+*?()[\]|^-]/;
const SYNTAX = /[.()?:|*+{},^]/;
const CLASS_SYNTAX = /[[\]^.,*+?()|]/;
/** Matches the UTF-8 bytes of a non-ASCII character. */
const NON_ASCII = '[\\xC2-\\xF4][\\x80-\\xBF]+';

/**
 * Converts a pattern to an expression that matches the same User-Agents on a server, ignoring case. The result contains
 * no capturing groups, and only its spaces may need escaping in a configuration file. In repetitions, `pcre` counts
 * bytes instead of characters.
 *
 * @param source Pattern in the syntax that `parsePattern` supports.
 */
export function patternText(source: string, dialect: Dialect): string {
  return source.replace(TOKENS, (token, at: number) => {
    if (token.startsWith('\\')) return escapedText(token[1]!);
    if (token === '$') return '\\z';
    const text = token.length > 1 ? classText(token) : SYNTAX.test(token) ? token : escapeCharacter(token);
    const matchesNonAscii = token === '.' || token.startsWith('[^');
    const isRepeated = /[*+{]/.test(source[at + token.length] ?? '');
    return !matchesNonAscii || isRepeated || dialect === 're2' ? text : `(?>${NON_ASCII}|${text})`;
  });
}

/** Returns an expression that matches a text literally. The text must be printable ASCII. */
export const literalText = (text: string): string =>
  text.replace(/./g, (character) => (OPERATORS.test(character) ? `\\${character}` : escapeCharacter(character)));

/**
 * Returns a prefix for an expression that rejects matches preceded by one of the texts. RE2 doesn't support lookbehinds,
 * so its prefix consumes the preceding text.
 *
 * @param texts Non-empty texts in printable ASCII.
 */
export function notPrecededBy(texts: readonly string[], dialect: Dialect): string {
  if (dialect === 'pcre') return texts.map((text) => `(?<!${literalText(text)})`).join('');
  const heads = Map.groupBy(texts, (text) => text.at(-1)!.toLowerCase());
  const lasts = [...heads.keys()].map((last) => (OPERATORS.test(last) ? `\\${last}` : escapeCharacter(last))).join('');
  const options = [...heads].flatMap(([last, group]) => {
    const rests = group.map((text) => text.slice(0, -1));
    return rests.includes('') ? [] : [notPrecededBy(rests, dialect) + literalText(last)];
  });
  return `(?:${['^', `[^${lasts}]`, ...options].join('|')})`;
}

function classText(source: string): string {
  return source.replace(MEMBERS, (member) => {
    if (member.startsWith('\\')) return escapedText(member[1]!);
    return CLASS_SYNTAX.test(member) ? member : escapeCharacter(member);
  });
}

function escapedText(escaped: string): string {
  return /[dwbB]/.test(escaped) || OPERATORS.test(escaped) ? `\\${escaped}` : escapeCharacter(escaped);
}

function escapeCharacter(character: string): string {
  return UNESCAPED.test(character) ? character : `\\x${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
