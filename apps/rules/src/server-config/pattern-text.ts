/**
 * Regular expression syntax of a server: `pcre` matches bytes (nginx, Apache, HAProxy), `re2` matches characters
 * (Caddy). Both ignore case.
 */
export type Dialect = 'pcre' | 're2';

/** Escaped character, character class, or any other character. */
const TOKENS = /\\.|\[(?:\\.|[^\]\\])+\]|./g;
const MEMBERS = /\\.|./g;
/**
 * Characters that are written unchanged. Others become `\xHH`, so servers don't find quotes, variables, comments or
 * blocks.
 */
const HARMLESS = /[A-Za-z0-9 _,:/@~=&!;<>-]/;
const OPERATORS = /[.+*?()[\]|^-]/;
const SYNTAX = /[.()?:|*+{},^]/;
const CLASS_SYNTAX = /[[\]^.,*+?()|]/;
/** Non-ASCII character in UTF-8. */
const PAST_ASCII = '[\\xC2-\\xF4][\\x80-\\xBF]+';

/**
 * Converts a pattern to a server's expression that matches the same User-Agents, ignoring case. It has no capturing
 * groups, and only its spaces may need escaping in a configuration. In repetitions, `pcre` counts the bytes of
 * non-ASCII characters.
 *
 * @param source Pattern that `parsePattern` supports.
 */
export function patternText(source: string, dialect: Dialect): string {
  return source.replace(TOKENS, (token, at: number) => {
    if (token.startsWith('\\')) return escapedText(token[1]!);
    if (token === '$') return '\\z';
    const text = token.length > 1 ? classText(token) : SYNTAX.test(token) ? token : plain(token);
    const fitsPastAscii = token === '.' || token.startsWith('[^');
    const isRepeated = /[*+{]/.test(source[at + token.length] ?? '');
    return !fitsPastAscii || isRepeated || dialect === 're2' ? text : `(?>${PAST_ASCII}|${text})`;
  });
}

/** Escapes a text of printable ASCII. */
export const literalText = (text: string): string =>
  text.replace(/./g, (character) => (OPERATORS.test(character) ? `\\${character}` : plain(character)));

/**
 * Returns an expression that goes before another one, so that none of the texts can precede a match. For RE2, which has
 * no lookbehinds, it consumes the preceding text.
 *
 * @param texts Non-empty texts of printable ASCII.
 */
export function notBehind(texts: readonly string[], dialect: Dialect): string {
  if (dialect === 'pcre') return texts.map((text) => `(?<!${literalText(text)})`).join('');
  const heads = Map.groupBy(texts, (text) => text.at(-1)!.toLowerCase());
  const lasts = [...heads.keys()].map((last) => (OPERATORS.test(last) ? `\\${last}` : plain(last))).join('');
  const options = [...heads].flatMap(([last, ofLast]) => {
    const rests = ofLast.map((text) => text.slice(0, -1));
    return rests.includes('') ? [] : [notBehind(rests, dialect) + literalText(last)];
  });
  return `(?:${['^', `[^${lasts}]`, ...options].join('|')})`;
}

function classText(source: string): string {
  return source.replace(MEMBERS, (member) => {
    if (member.startsWith('\\')) return escapedText(member[1]!);
    return CLASS_SYNTAX.test(member) ? member : plain(member);
  });
}

function escapedText(escaped: string): string {
  return /[dwbB]/.test(escaped) || OPERATORS.test(escaped) ? `\\${escaped}` : plain(escaped);
}

function plain(character: string): string {
  return HARMLESS.test(character) ? character : `\\x${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
