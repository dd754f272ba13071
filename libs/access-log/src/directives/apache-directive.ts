import { lookUpMeaning, type Meaning } from '../log-fields.js';
import type { TemplateField, TemplatePart } from '../line-template.js';
import { decodeUtf8, unescapeField } from '../quoted-field.js';
import { DirectiveError, splitParts, readQuotedWord, type Directive } from './directive.js';
import { strftimeWidth } from './strftime-width.js';

/** Supported tokens (httpd.apache.org/docs/2.4/mod/mod_log_config.html#formats). All others are ignored. */
const TOKENS: Record<string, Meaning> = {
  h: 'client',
  a: 'client',
  r: 'request',
  m: 'method',
  U: 'path',
  q: 'query',
  s: 'status',
  B: 'size',
  b: 'size',
  O: 'sent',
  D: 'microseconds',
  T: 'seconds',
  V: 'host',
  v: 'server',
};
/** Units of durations such as `%{ms}T`. */
const UNITS: Record<string, Meaning> = { s: 'seconds', ms: 'milliseconds', us: 'microseconds' };
/** Widths of Unix times such as `%{sec}t`, in characters. */
const TIMES = new Map([
  ['sec', 10],
  ['msec', 13],
  ['usec', 16],
  ['msec_frac', 3],
  ['usec_frac', 6],
]);
const CLF_WIDTH = 26;

/** Matches `%>s`, `%!200,304{User-agent}i`, `%{ms}T`, `%{Name}^ti` and `%%`. */
const TOKEN = /%(?:%|[!\d,<>]*(?:\{([^{}]*)\})?(\^t[io]|[A-Za-z]))/g;

/**
 * Parses an Apache `LogFormat "…" name` directive or only its quoted format
 * (httpd.apache.org/docs/2.4/mod/mod_log_config.html#logformat).
 */
export function apacheDirective(text: string): Directive {
  const parts = splitParts(extractFormat(text.trim()), TOKEN, ([token, argument, letter]) =>
    token === '%%' ? '%' : toPart(letter!, argument),
  );
  return {
    server: 'Apache',
    parts: mergeTimes(mergeQueries(parts)),
    escapesQuotes: true,
    decode: (raw) => decodeUtf8(unescapeField(raw)),
  };
}

function extractFormat(text: string): string {
  const directive = /^(?:LogFormat|CustomLog\s+(?:"[^"]*"|\S+))\s+/i.exec(text);
  const rest = directive === null ? text : text.slice(directive[0].length);
  const quoted = readQuotedWord(rest, 0);
  // Without the directive name, a leading quote may be part of the format itself. It only encloses the format if
  // nothing but a nickname follows the closing quote.
  if (quoted !== null && (directive !== null || /^\s*[\w-]*$/.test(rest.slice(quoted.end)))) return quoted.word;
  return rest.replaceAll('\\"', '"').replaceAll('\\t', '\t');
}

/** Time field. Adjacent ones form a single time, as in `%{%F %T}t.%{msec_frac}t`. */
interface TimeField extends TemplateField {
  meaning: 'time';
  width: number;
}

const time = (width: number): TimeField => ({ meaning: 'time', width });

function toPart(letter: string, argument: string | undefined): TemplatePart | TemplatePart[] {
  if (letter === 't' && argument === undefined) return ['[', time(CLF_WIDTH), ']'];
  if (letter === 't') return time(timeWidth(argument!.replace(/^(?:begin|end):/, '')));
  return { meaning: toMeaning(letter, argument) };
}

function toMeaning(letter: string, argument: string | undefined): Meaning {
  if (argument === undefined) return lookUpMeaning(TOKENS, letter);
  const name = argument.toLowerCase();
  if (letter === 'i') return name === 'host' ? 'host' : { header: name };
  if (letter === 'o') return { responseHeader: name };
  if (letter === 'a') return name === 'c' ? 'peer' : null;
  if (letter === 'T') return lookUpMeaning(UNITS, name);
  return letter === 'e' && name === 'unique_id' ? 'id' : null;
}

function timeWidth(format: string): number {
  const width = TIMES.get(format) ?? (format === '' ? CLF_WIDTH : strftimeWidth(format));
  if (width === null) {
    throw new DirectiveError(`The time format %{${format}}t isn't supported. Use %t or %{%Y-%m-%dT%H:%M:%S%z}t.`);
  }
  return width;
}

/** Removes `%q` after `%U`. Both are read as one field, because `%q` includes the question mark. */
function mergeQueries(parts: TemplatePart[]): TemplatePart[] {
  const filled = parts.filter((part) => part !== '');
  const isField = (part: TemplatePart | undefined, meaning: Meaning) =>
    typeof part === 'object' && part.meaning === meaning;
  return filled.filter((part, index) => !(isField(part, 'query') && isField(filled[index - 1], 'path')));
}

/** Merges time fields that are adjacent or separated by a dot, space, comma or `T`. */
function mergeTimes(parts: TemplatePart[]): TemplatePart[] {
  const joined: TemplatePart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const between = typeof last === 'string' && /^[. ,T]$/.test(last) ? last : '';
    const before = between === '' ? last : joined.at(-2);
    if (isTime(part) && isTime(before)) {
      joined.splice(between === '' ? -1 : -2, 2, time(before.width + between.length + part.width));
    } else joined.push(part);
  }
  return joined;
}

const isTime = (part: TemplatePart | undefined): part is TimeField =>
  typeof part === 'object' && part.meaning === 'time';
