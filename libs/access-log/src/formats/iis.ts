import { columnNames, openColumns, type ColumnsDialect } from '../columns.js';
import { lookUpMeaning, type Meaning } from '../log-fields.js';
import { decodeUtf8 } from '../quoted-field.js';
import type { TextFormat } from './log-format.js';
import { PAYMENT_RESPONSE_HEADERS } from '../payment-header-names.js';

const COLUMNS: Record<string, Meaning> = {
  date: 'date',
  time: 'clock',
  'c-ip': 'client',
  'cs-method': 'method',
  'cs-uri-stem': 'path',
  'cs-uri-query': 'query',
  'cs-host': 'host',
  'cs(host)': 'host',
  'sc-status': 'status',
  'sc-bytes': 'sent',
  'time-taken': 'milliseconds',
  // Custom fields, whose names administrators choose. These are recognized if they have the same name as the header
  // that they contain.
  'x-forwarded-for': { header: 'x-forwarded-for' },
  signature: { header: 'signature' },
  'signature-input': { header: 'signature-input' },
  'signature-agent': { header: 'signature-agent' },
  'mcp-method': { header: 'mcp-method' },
  'mcp-name': { header: 'mcp-name' },
  'mcp-protocol-version': { header: 'mcp-protocol-version' },
  'crawler-exact-price': { header: 'crawler-exact-price' },
  'crawler-max-price': { header: 'crawler-max-price' },
  // Without WWW-Authenticate, because IIS replaces the spaces in it.
  ...Object.fromEntries(
    PAYMENT_RESPONSE_HEADERS.filter((name) => name !== 'www-authenticate').map((name) => [
      name,
      { responseHeader: name },
    ]),
  ),
};

function toMeaning(name: string): Meaning {
  const column = lookUpMeaning(COLUMNS, name);
  if (column !== null) return column;
  const header = /^cs\(([^()]+)\)$/.exec(name)?.[1];
  return header === undefined ? null : { header };
}

const dialect: ColumnsDialect = {
  separator: ' ',
  meaningOf: toMeaning,
  decode: (text, meaning) =>
    decodeUtf8(typeof meaning === 'object' && meaning !== null && 'header' in meaning ? restoreSpaces(text) : text),
  defaultColumns: [],
  matches: (names) => names.includes('cs-uri-stem') && !names.includes('x-edge-location'),
};

/**
 * IIS logs in the W3C extended format. Times are in UTC
 * (learn.microsoft.com/iis/configuration/system.applicationhost/sites/site/logfile).
 */
export const iis: TextFormat = {
  kind: 'text',
  name: 'iis',
  title: 'IIS, W3C extended',
  verifiedBy: 'addresses and signatures',
  limits:
    'Headers must be logged as columns. Behind a proxy, add a custom field for X-Forwarded-For. For signatures, MCP calls and payments, add a custom field for each of their headers.',
  recognizes: (text) =>
    text.startsWith('#Software: Microsoft Internet Information Services') ||
    (text.startsWith('#Fields:') && dialect.matches(columnNames(text))),
  open: () => openColumns(dialect),
};

/**
 * Restores spaces, which IIS writes as `+` without escaping actual plus signs.
 *
 * In `++`, the second character is read as a plus sign, as in `;++http://`. A `+` at the start or after a bracket is
 * also read as a plus sign, because a space is unlikely there.
 */
export const restoreSpaces = (text: string): string =>
  text.replaceAll(/(^|[([<{])\+|\+(\+?)/g, (_, before?: string, plus = '') =>
    before === undefined ? ` ${plus}` : `${before}+`,
  );
