import { meaningIn, type Meaning } from '../log-fields.js';
import { decodeBytes, unescapeField } from '../quoted-field.js';
import { DirectiveError, partsOf, readQuotedWord, type Directive } from './directive.js';

/** goaccess.io/man#custom-log; what isn't here is passed over. */
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
/** `%h`; `~h{, }` is X-Forwarded-For. */
const TOKEN = /%([\w^~%])|~h\{[^{}]*\}/g;

/** Whether the tokens are GoAccess', most of whose letters Apache has, too, with other meanings. */
export const hasGoAccessTokens = (text: string): boolean =>
  /%[dx~]|%\^(?:[^t]|t[^io]|t?$)|~h\{/.test(text.replaceAll(/%[!\d,<>]*\{[^{}]*\}/g, ''));

/** Reads the tokens of GoAccess' `log-format`. Dates and times are told by what they look like. */
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
      // In what GoAccess names COMBINED, [%d:%t %^], the zone is passed over.
      if (token === '%^' && before.endsWith('%t ')) return { meaning: 'zone' };
      return { meaning: letter === 't' && !format.includes('%d') ? 'time' : meaningIn(TOKENS, letter!) };
    }),
    escapesQuotes: true,
    decode: (raw) => decodeBytes(unescapeField(raw)),
  };
}
