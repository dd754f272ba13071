import { lookUpMeaning, type Meaning } from '../log-fields.js';
import { decodeUtf8, unescapeField } from '../quoted-field.js';
import { DirectiveError, splitParts, readQuotedWord, type Directive } from './directive.js';

/** Supported tokens (goaccess.io/man#custom-log). All others are ignored. */
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
/** Matches tokens such as `%h`, and `~h{, }`, which represents X-Forwarded-For. */
const TOKEN = /%([\w^~%])|~h\{[^{}]*\}/g;

/** Returns true if a format uses tokens that only exist in GoAccess. Apache uses most other letters differently. */
export const hasGoAccessTokens = (text: string): boolean =>
  /%[dx~]|%\^(?:[^t]|t[^io]|t?$)|~h\{/.test(text.replaceAll(/%[!\d,<>]*\{[^{}]*\}/g, ''));

/**
 * Parses a GoAccess `log-format`. GoAccess's `date-format` and `time-format` settings aren't needed, because dates and
 * times are recognized by their values.
 */
export function goAccessDirective(text: string): Directive {
  const assigned = text.trim().replace(/^log-format\s+/, '');
  const quoted = readQuotedWord(assigned, 0);
  const format =
    quoted?.end === assigned.length ? quoted.word : assigned.replaceAll('\\t', '\t').replaceAll('\\"', '"');
  return {
    server: 'GoAccess',
    parts: splitParts(format, TOKEN, ([token, letter], before) => {
      if (letter === '%') return '%';
      if (letter === '~') throw new DirectiveError("%~ isn't supported. Replace it with the literal spaces.");
      if (token.startsWith('~h')) return { meaning: { header: 'x-forwarded-for' } };
      // The predefined GoAccess format COMBINED uses [%d:%t %^], where the ignored token is the time zone.
      if (token === '%^' && before.endsWith('%t ')) return { meaning: 'zone' };
      return { meaning: letter === 't' && !format.includes('%d') ? 'time' : lookUpMeaning(TOKENS, letter!) };
    }),
    escapesQuotes: true,
    decode: (raw) => decodeUtf8(unescapeField(raw)),
  };
}
