/**
 * What servers' expressions are written in: `pcre` matches bytes (nginx, Apache, HAProxy), `re2` characters (Caddy).
 * Both ignore case.
 */
export type Dialect = 'pcre' | 're2';

/** An escaped character, a class, or any other character. */
const TOKENS = /\\.|\[(?:\\.|[^\]\\])+\]|./g;
const MEMBERS = /\\.|./g;
/** Written as they are; others as `\xHH`, so that no server finds quotes, variables, comments or blocks in them. */
const HARMLESS = /[A-Za-z0-9 _,:/@~=&!;<>-]/;
const OPERATORS = /[.+*?()[\]|^-]/;
const SYNTAX = /[.()?:|*+{},^]/;
const CLASS_SYNTAX = /[[\]^.,*+?()|]/;
/** A character past ASCII, in UTF-8. */
const PAST_ASCII = '[\\xC2-\\xF4][\\x80-\\xBF]+';

/**
 * A pattern as an expression of a server that matches in the same User-Agents, ignoring case: the same but for the
 * escapes. It holds no captures, and nothing that has to be escaped in the configuration of a server but spaces. Where
 * characters repeat, `pcre` counts the bytes of those past ASCII.
 *
 * @param source in the subset that `parsePattern` reads.
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

/** An expression for a text of printable ASCII. */
export const literalText = (text: string): string =>
  text.replace(/./g, (character) => (OPERATORS.test(character) ? `\\${character}` : plain(character)));

/**
 * An expression before which none of the texts may come; for RE2, which has no look-behinds, what may come instead.
 *
 * @param texts printable ASCII, none of them empty.
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
