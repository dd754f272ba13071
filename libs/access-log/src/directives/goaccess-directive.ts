import { meaningIn, type Meaning } from '../log-fields.js';
import { decodeBytes, unescapeField } from '../quoted-field.js';
import { DirectiveError, partsOf, readQuotedWord, type Directive } from './directive.js';

/** Tokens of goaccess.io/man#custom-log. Others are ignored. */
const TOKENS: Record<string, Meaning> = {
  x: 'time',
  d: 'date',
  t: 'clock',
  h: 'client',
  v: 'host',
  r: 'request',
  m: 'method',
  U: 'path',
  q: 'query',
  s: 'status',
  b: 'size',
  R: { header: 'referer' },
  u: { header: 'user-agent' },
  M: { responseHeader: 'content-type' },
  D: 'microseconds',
  T: 'seconds',
  L: 'milliseconds',
  n: 'nanoseconds',
};
/** Matches tokens such as `%h`. `~h{, }` stands for X-Forwarded-For. */
const TOKEN = /%([\w^~%])|~h\{[^{}]*\}/g;

/** Returns whether a format uses GoAccess tokens. Apache uses most of the same letters with other meanings. */
export const hasGoAccessTokens = (text: string): boolean =>
  /%[dx~]|%\^(?:[^t]|t[^io]|t?$)|~h\{/.test(text.replaceAll(/%[!\d,<>]*\{[^{}]*\}/g, ''));

/** Parses GoAccess' `log-format`. Dates and times are recognized by their values. */
export function goAccessDirective(text: string): Directive {
  const assigned = text.trim().replace(/^log-format\s+/, '');
  const quoted = readQuotedWord(assigned, 0);
  const format =
    quoted?.end === assigned.length ? quoted.word : assigned.replaceAll('\\t', '\t').replaceAll('\\"', '"');
  return {
    server: 'GoAccess',
    parts: partsOf(format, TOKEN, ([token, letter], before) => {
      if (letter === '%') return '%';
      if (letter === '~') throw new DirectiveError("%~ can't be read. Write the blanks that stand there.");
      if (token.startsWith('~h')) return { meaning: { header: 'x-forwarded-for' } };
      // GoAccess' predefined format COMBINED, [%d:%t %^], ignores the time zone. It is read here.
      if (token === '%^' && before.endsWith('%t ')) return { meaning: 'zone' };
      return { meaning: letter === 't' && !format.includes('%d') ? 'time' : meaningIn(TOKENS, letter!) };
    }),
    escapesQuotes: true,
    decode: (raw) => decodeBytes(unescapeField(raw)),
  };
}
