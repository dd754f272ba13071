import { columnNames, openColumns, type ColumnsDialect } from '../columns.js';
import { meaningIn, type Meaning } from '../log-fields.js';
import { decodeBytes } from '../quoted-field.js';
import type { TextFormat } from './log-format.js';

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
  // Custom fields, named after their headers.
  'x-forwarded-for': { header: 'x-forwarded-for' },
  signature: { header: 'signature' },
  'signature-input': { header: 'signature-input' },
  'signature-agent': { header: 'signature-agent' },
};

function meaningOf(name: string): Meaning {
  const known = meaningIn(COLUMNS, name);
  if (known !== null) return known;
  const header = /^cs\(([^()]+)\)$/.exec(name)?.[1];
  return header === undefined ? null : { header };
}

const dialect: ColumnsDialect = {
  separator: ' ',
  meaningOf,
  decode: (text, meaning) =>
    decodeBytes(typeof meaning === 'object' && meaning !== null && 'header' in meaning ? withBlanks(text) : text),
  usual: [],
  isOwn: (names) => names.includes('cs-uri-stem') && !names.includes('x-edge-location'),
};

/**
 * IIS logs in the W3C extended format, with times in UTC
 * (learn.microsoft.com/iis/configuration/system.applicationhost/sites/site/logfile).
 */
export const iis: TextFormat = {
  kind: 'text',
  name: 'iis',
  title: 'IIS, W3C extended',
  verifiedBy: 'addresses and signatures',
  limits:
    'Only headers that are columns. Behind a proxy, add a custom field for X-Forwarded-For. For signatures, add one for each of their headers.',
  recognizes: (text) =>
    text.startsWith('#Software: Microsoft Internet Information Services') ||
    (text.startsWith('#Fields:') && dialect.isOwn(columnNames(text))),
  open: () => openColumns(dialect),
};

/**
 * Restores spaces, which IIS writes as `+` without escaping real plus signs.
 *
 * In `++`, the second character is a plus, as in `;++http://`. At the start or after a bracket, `+` is also a plus,
 * because a space is unlikely there.
 */
export const withBlanks = (text: string): string =>
  text.replaceAll(/(^|[([<{])\+|\+(\+?)/g, (_, before?: string, plus = '') =>
    before === undefined ? ` ${plus}` : `${before}+`,
  );
