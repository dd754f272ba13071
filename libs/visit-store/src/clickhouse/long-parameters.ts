/**
 * Maximum size of a parameter in bytes, before it's escaped. Escaping can double it, and by default a server rejects
 * values of more than 128 KiB (`http_max_field_value_size`).
 */
const MAX_VALUE_BYTES = 65_536;
/** Quotes and the comma. */
const SEPARATOR_BYTES = 3;

/**
 * Divides array parameters that a server would reject into several parameters, and joins these in the statement. `IN`
 * gets a subquery, because ClickHouse builds a set from it, but compares each row with every element of an array that
 * isn't a literal.
 */
export function divideLongParameters(
  text: string,
  parameters: Record<string, unknown>,
): { text: string; parameters: Record<string, unknown> } {
  const divided = { text, parameters: { ...parameters } };
  for (const [name, value] of Object.entries(parameters)) {
    if (!Array.isArray(value)) continue;
    const parts = divide(value);
    if (parts.length < 2) continue;
    delete divided.parameters[name];
    for (const [index, part] of parts.entries()) divided.parameters[`${name}_${index}`] = part;
    const pieces = divided.text.split(`{${name}:`);
    divided.text = pieces
      .map((piece, index) =>
        index === 0 ? piece : joinParts(name, parts.length, piece, pieces[index - 1]!.endsWith(' IN ')),
      )
      .join('');
  }
  return divided;
}

/** @param after Text that starts with the type of a parameter, such as `Array(UUID)} AND …`. */
function joinParts(name: string, count: number, after: string, isSet: boolean): string {
  const end = after.indexOf('}');
  const parts = Array.from({ length: count }, (_, index) => `{${name}_${index}:${after.slice(0, end)}}`);
  const array = `arrayConcat(${parts.join(', ')})`;
  return `${isSet ? `(SELECT arrayJoin(${array}))` : array}${after.slice(end + 1)}`;
}

/** Divides the elements so that each list has up to {@link MAX_VALUE_BYTES}. */
function divide(elements: readonly unknown[]): unknown[][] {
  const parts: unknown[][] = [[]];
  let bytes = 0;
  for (const element of elements) {
    const length = Buffer.byteLength(String(element)) + SEPARATOR_BYTES;
    if (bytes + length > MAX_VALUE_BYTES && bytes > 0) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)!.push(element);
    bytes += length;
  }
  return parts;
}
