import { lookUpMeaning, type Meaning } from '../log-fields.js';
import type { TemplateField, TemplatePart } from '../line-template.js';
import { decodeUtf8, unescapeField } from '../quoted-field.js';
import { DirectiveError, splitParts, readQuotedWord, type Directive } from './directive.js';

/** Supported variables (nginx.org/en/docs/varindex.html) besides headers. All others are ignored. */
const VARIABLES: Record<string, Meaning> = {
  remote_addr: 'client',
  proxy_protocol_addr: 'client',
  realip_remote_addr: 'peer',
  time_local: 'time',
  time_iso8601: 'time',
  msec: 'time',
  request: 'request',
  request_method: 'method',
  request_uri: 'path',
  uri: 'path',
  document_uri: 'path',
  args: 'query',
  query_string: 'query',
  status: 'status',
  body_bytes_sent: 'size',
  bytes_sent: 'sent',
  upstream_cache_status: 'cache',
  request_time: 'seconds',
  host: 'host',
  http_host: 'host',
  server_name: 'server',
  request_id: 'id',
};
/** Width of `17/May/2015:10:05:03 +0000`, which contains a space. */
const TIME_LOCAL_WIDTH = 26;
const VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;

export const hasNginxVariables = (text: string): boolean => /\$(?:\w|\{\w)/.test(text);

/**
 * Parses an nginx `log_format name escape=… '…' '…';` directive or only its quoted format
 * (nginx.org/en/docs/http/ngx_http_log_module.html).
 */
export function nginxDirective(text: string): Directive {
  const { format, escape } = extractFormat(text.trim());
  const parts = splitParts(format, VARIABLE, ([, braced, plain]) => field(braced ?? plain!));
  return {
    server: 'nginx',
    parts: mergeAddresses(mergeQueries(parts)),
    escapesQuotes: escape === 'json',
    hasRawQuotes: escape === 'none',
    decode: { default: (raw: string) => decodeUtf8(unescapeField(raw)), json: unescapeJson, none: decodeUtf8 }[escape],
  };
}

type Escape = 'default' | 'json' | 'none';

function extractFormat(text: string): { format: string; escape: Escape } {
  const directive = /^log_format\s+[^\s'"]+\s+/.exec(text);
  let rest = directive === null ? text : text.slice(directive[0].length);
  const escaping = /^escape=(\w+)\s+/.exec(rest);
  if (escaping !== null) rest = rest.slice(escaping[0].length);
  const escape = escaping?.[1] ?? (/^['"]?\s*\{/.test(rest) && directive === null ? 'json' : 'default');
  if (escape !== 'default' && escape !== 'json' && escape !== 'none') {
    throw new DirectiveError(`nginx doesn't support escape=${escape}. Use default, json or none.`);
  }
  // Without the directive name, a leading double quote may be part of the format itself, so it isn't treated as an
  // enclosing quote.
  const isQuoted = directive !== null || escaping !== null || rest.startsWith("'");
  return { format: (isQuoted ? joinWords(rest) : null) ?? rest, escape };
}

/** Concatenates the strings in `'…' "…" …;` like nginx. Returns null if one isn't quoted. */
function joinWords(text: string): string | null {
  let format = '';
  for (let at = 0; ;) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    if (at >= text.length || text[at] === ';') return format;
    const quoted = readQuotedWord(text, at);
    if (quoted === null) return null;
    format += quoted.word;
    at = quoted.end;
  }
}

function field(name: string): TemplateField & { name: string } {
  const width = name === 'time_local' ? { width: TIME_LOCAL_WIDTH } : {};
  return { name, meaning: toMeaning(name), ...width };
}

function toMeaning(name: string): Meaning {
  const knownMeaning = lookUpMeaning(VARIABLES, name);
  if (knownMeaning !== null) return knownMeaning;
  const [, kind, header] = /^(http|sent_http|upstream_http)_(\w+)$/.exec(name) ?? [];
  if (header === undefined) return null;
  const headerName = header.toLowerCase().replaceAll('_', '-');
  return kind === 'http' ? { header: headerName } : { responseHeader: headerName };
}

const getName = (part: TemplatePart | undefined): string | undefined => (part as { name?: string } | undefined)?.name;

/** Removes `$is_args$args`, because `$uri$is_args$args` is read as one field that contains the path and query. */
function mergeQueries(parts: TemplatePart[]): TemplatePart[] {
  const named = parts.filter((part) => part !== '');
  return named.flatMap((part, index) => {
    const isArgs = getName(named[index - 1]) === 'is_args' && ['args', 'query_string'].includes(getName(part) ?? '');
    if (isArgs || getName(part) === 'is_args') return [];
    return [part];
  });
}

/** Merges `$host$request_uri` into one field. */
function mergeAddresses(parts: TemplatePart[]): TemplatePart[] {
  const isHost = (part: TemplatePart | undefined) => typeof part === 'object' && part.meaning === 'host';
  const isPath = (part: TemplatePart | undefined) => typeof part === 'object' && part.meaning === 'path';
  return parts.flatMap((part, index) => {
    if (isHost(part) && isPath(parts[index + 1])) return [{ meaning: 'address' }];
    return isPath(part) && isHost(parts[index - 1]) ? [] : [part];
  });
}

/** Unescapes text written with `escape=json`. Returns invalid JSON unchanged. */
function unescapeJson(raw: string): string {
  const text = decodeUtf8(raw);
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
