import type { TextFormat } from '../formats/log-format.js';
import { joinTexts, templateFormat, type TemplatePart } from '../line-template.js';
import { apacheDirective } from './apache-directive.js';
import { DirectiveError, type Directive } from './directive.js';
import { goAccessDirective, hasGoAccessTokens } from './goaccess-directive.js';
import { hasNginxVariables, nginxDirective } from './nginx-directive.js';

/** Information that a format must contain. One field from each list is enough. */
const REQUIRED_FIELDS: { what: string; fields: string[]; names: Record<Directive['server'], string> }[] = [
  {
    what: 'the client address',
    fields: ['client', 'peer'],
    names: { nginx: '$remote_addr', Apache: '%a', GoAccess: '%h' },
  },
  {
    what: 'the time',
    fields: ['time', 'date'],
    names: { nginx: '$time_iso8601', Apache: '%t', GoAccess: '%d and %t, or %x' },
  },
  {
    what: 'the method',
    fields: ['request', 'method'],
    names: { nginx: '$request_method', Apache: '%m', GoAccess: '%m' },
  },
  {
    what: 'the path',
    fields: ['request', 'path', 'address'],
    names: { nginx: '$request_uri', Apache: '%U%q', GoAccess: '%U' },
  },
];

/**
 * Creates a format from an nginx `log_format`, an Apache `LogFormat` or a GoAccess `log-format`. Directive names and
 * quotes are optional.
 *
 * @throws {DirectiveError} if the text isn't a format, or if its lines wouldn't contain all required fields.
 */
export function customFormat(text: string): TextFormat {
  const directive = readDirective(text);
  const meanings = listMeanings(directive.parts);
  const missing = REQUIRED_FIELDS.filter(({ fields }) => !fields.some((field) => meanings.includes(field)));
  if (missing.length > 0) {
    const list = missing.map(({ what, names }) => `${what} (${names[directive.server]})`).join(' and ');
    throw new DirectiveError(
      `The ${directive.server} format doesn't contain ${list}. Add what's missing to your server's log format.`,
    );
  }
  const parts = joinTexts(directive.parts);
  if (parts === null) {
    throw new DirectiveError(
      'Two variables in the format are not separated. Put a space or another character between them.',
    );
  }
  return templateFormat(
    {
      name: 'custom',
      title: `${directive.server}, custom format`,
      verifiedBy: directive.parts.some(isSignature) ? 'addresses and signatures' : 'addresses',
      limits: describeLimits(directive.parts),
    },
    { ...directive, parts },
  );
}

function readDirective(text: string): Directive {
  if (hasNginxVariables(text)) return nginxDirective(text);
  if (hasGoAccessTokens(text)) return goAccessDirective(text);
  if (/%[\w{<>!]/.test(text)) return apacheDirective(text);
  throw new DirectiveError(
    "The format contains no nginx ($remote_addr), Apache (%h) or GoAccess (%h %d %t) variables. Copy it from your server's configuration and put it in single quotes.",
  );
}

const listMeanings = (parts: readonly TemplatePart[]): string[] =>
  parts.flatMap((part) => (typeof part === 'object' && typeof part.meaning === 'string' ? [part.meaning] : []));

const listHeaders = (parts: readonly TemplatePart[]): string[] =>
  parts.flatMap((part) =>
    typeof part === 'object' && typeof part.meaning === 'object' && part.meaning !== null && 'header' in part.meaning
      ? [part.meaning.header]
      : [],
  );

const isSignature = (part: TemplatePart): boolean => listHeaders([part]).includes('signature-input');

/** Returns a sentence that lists the missing optional fields, or an empty string if all are present. */
function describeLimits(parts: readonly TemplatePart[]): string {
  const headers = listHeaders(parts);
  const missing = [
    ...(headers.includes('user-agent') ? [] : ['user agents']),
    ...(headers.includes('referer') ? [] : ['referers']),
    ...(listMeanings(parts).includes('host') ? [] : ['hosts']),
    ...(parts.some(isSignature) ? [] : ['signatures']),
  ];
  return missing.length === 0 ? '' : `No ${missing.join(', no ')}.`;
}
