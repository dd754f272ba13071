/**
 * Returns a SQL expression for the named headers as a JSON object, or null.
 *
 * @param headers SQL expression for a JSON object, or for null.
 * @param names Header names in lower case.
 * @param maxLength Maximum length of a value as JSON, in characters. Headers with longer values are omitted.
 */
export const selectHeaders = (headers: string, names: readonly string[], maxLength: number): string =>
  `(SELECT json_object_agg(key, value)
    FROM json_each(CASE WHEN json_typeof(${headers}) = 'object' THEN ${headers} END)
    WHERE lower(key) IN (${names.map((name) => `'${name}'`).join(', ')})
      AND length(value::text) <= ${maxLength})`;
