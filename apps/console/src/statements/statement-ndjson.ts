import { GAP_KINDS, type Statement, type StatementScope } from './statement.js';
import { COMPUTATIONS, DEFINITIONS, getKeysUrl, getTitle, LIMITS } from './statement-text.js';

/** Version of the file format. */
const FORMAT = 'agent-traffic-statement/1';
/** All characters except printable ASCII, and those with a meaning in HTML. */
const ESCAPED_CHARACTERS = /[^\x20-\x7e]|[<>&]/g;

/**
 * Returns a record as a line of JSON. Characters are escaped so that a file can't send control sequences to a terminal,
 * and a browser shows nothing but text if someone renames it to HTML.
 */
const toLine = (record: string, fields: object): string =>
  `${JSON.stringify({ record, ...fields }).replaceAll(
    ESCAPED_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}\n`;

/** Returns the first record. */
export const renderNdjsonStart = (scope: StatementScope): string =>
  toLine('statement', { format: FORMAT, title: getTitle(scope), ...scope, keys: getKeysUrl(scope), limits: LIMITS });

/** Returns all other records except the signature. */
export function renderNdjsonRest(statement: Statement): string {
  const lines = (record: string, items: readonly object[]) => items.map((item) => toLine(record, item));
  return [
    ...lines('definition', DEFINITIONS),
    ...lines('computation', COMPUTATIONS),
    ...lines('total', statement.totals),
    ...lines('purpose', statement.purposes),
    ...lines('agent', statement.agents),
    ...lines('day', statement.days),
    ...lines('verdict', statement.verdicts),
    ...lines('robots_version', statement.versions),
    ...lines('disallowed_line', statement.disallowed),
    toLine('disallowed_list', { fetches: statement.disallowedTotal, listed: statement.disallowedFetches.length }),
    ...lines('disallowed_fetch', statement.disallowedFetches),
    ...(statement.scope.includes_addresses
      ? [toLine('address_list', { addresses: statement.addressesTotal, listed: statement.addresses.length })]
      : []),
    ...lines('address', statement.addresses),
    ...lines(
      'gap',
      statement.gaps.map((gap) => ({ ...gap, text: GAP_KINDS[gap.kind] })),
    ),
  ].join('');
}
