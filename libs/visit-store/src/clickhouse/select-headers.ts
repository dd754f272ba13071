import type { HeaderValue } from '#libs/contracts';

type HeaderPairs = [name: string, json: string][];

/** Row as ClickHouse returns it, with the headers as names and JSON values. */
export type WithHeaderPairs<Row> = Omit<Row, 'request_headers' | 'response_headers'> & {
  request_headers: HeaderPairs;
  response_headers: HeaderPairs;
};

/**
 * Returns a ClickHouse expression for the named headers, as names and JSON values.
 *
 * @param names Header names in lower case.
 * @param maxLength Maximum length of a value as JSON, in bytes. Headers with longer values are omitted.
 */
export const selectHeaders = (field: string, names: readonly string[], maxLength: number): string =>
  `arrayFilter(h -> lower(h.1) IN (${names.map((name) => `'${name}'`).join(', ')})
     AND length(h.2) <= ${maxLength}, JSONExtractKeysAndValuesRaw(document, 'visit', '${field}'))`;

export const toHeaders = (pairs: Readonly<HeaderPairs>): Record<string, HeaderValue> =>
  Object.fromEntries(pairs.map(([name, value]) => [name, JSON.parse(value) as HeaderValue]));
