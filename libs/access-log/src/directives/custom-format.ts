import type { TextFormat } from '../formats/log-format.js';
import { joinedParts, templateFormat, type TemplatePart } from '../line-template.js';
import { apacheDirective } from './apache-directive.js';
import { DirectiveError, type Directive } from './directive.js';
import { goAccessDirective, hasGoAccessTokens } from './goaccess-directive.js';
import { hasNginxVariables, nginxDirective } from './nginx-directive.js';

/** Information that every line must have. One field of each list is enough. */
const NEEDED: { what: string; fields: string[]; names: Record<Directive['server'], string> }[] = [
  {
    what: 'the client’s address',
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
 * Creates a format from a server's configuration: nginx `log_format`, Apache `LogFormat` or GoAccess tokens. Directive
 * names and quotes are optional.
 *
 * @throws DirectiveError if its lines can't be read as visits.
 */
export function customFormat(text: string): TextFormat {
  const directive = readDirective(text);
  const named = meaningsOf(directive.parts);
  const missing = NEEDED.filter(({ fields }) => !fields.some((field) => named.includes(field)));
  if (missing.length > 0) {
    const list = missing.map(({ what, names }) => `${what} (${names[directive.server]})`).join(' and ');
    throw new DirectiveError(
      `The format of ${directive.server} lacks ${list}, without which a line is not a visit. Have your server log that, too.`,
    );
  }
  const parts = joinedParts(directive.parts);
  if (parts === null) {
    throw new DirectiveError('Two variables of the format have nothing between them, so their values run together.');
  }
  return templateFormat(
    {
      name: 'custom',
      title: `${directive.server}, a format of your own`,
      verifiedBy: directive.parts.some(isSignature) ? 'addresses and signatures' : 'addresses',
      limits: limitsOf(directive.parts),
    },
    { ...directive, parts },
  );
}

function readDirective(text: string): Directive {
  if (hasNginxVariables(text)) return nginxDirective(text);
  if (hasGoAccessTokens(text)) return goAccessDirective(text);
  if (/%[\w{<>!]/.test(text)) return apacheDirective(text);
  throw new DirectiveError(
    'The format has no variables of nginx ($remote_addr), Apache (%h) or GoAccess (%h %d %t). Write it as it stands in the configuration of your server, in single quotes.',
  );
}

const meaningsOf = (parts: readonly TemplatePart[]): string[] =>
  parts.flatMap((part) => (typeof part === 'object' && typeof part.meaning === 'string' ? [part.meaning] : []));

const headersOf = (parts: readonly TemplatePart[]): string[] =>
  parts.flatMap((part) =>
    typeof part === 'object' && typeof part.meaning === 'object' && part.meaning !== null && 'header' in part.meaning
      ? [part.meaning.header]
      : [],
  );

const isSignature = (part: TemplatePart): boolean => headersOf([part]).includes('signature-input');

/** Returns a sentence about missing fields, or an empty string if there are none. */
function limitsOf(parts: readonly TemplatePart[]): string {
  const headers = headersOf(parts);
  const missing = [
    ...(headers.includes('user-agent') ? [] : ['user agents']),
    ...(headers.includes('referer') ? [] : ['referers']),
    ...(meaningsOf(parts).includes('host') ? [] : ['hosts']),
    ...(parts.some(isSignature) ? [] : ['signatures']),
  ];
  return missing.length === 0 ? '' : `No ${missing.join(', no ')}.`;
}
