/**
 * Maximum size of a parameter in bytes, before it's escaped. Escaping can double it, and by default a server rejects
 * values of more than 128 KiB (`http_max_field_value_size`).
 */
const MAX_VALUE_BYTES = 65_536;
/** Quotes and the comma. */
const SEPARATOR_BYTES = 3;

/** Divides array parameters that a server would reject into several parameters, and joins these in the statement. */
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
    const [start = '', ...rest] = divided.text.split(`{${name}:`);
    divided.text = [start, ...rest.map((after) => joinParts(name, parts.length, after))].join('');
  }
  return divided;
}

/** @param after Text that starts with the type of a parameter, such as `Array(UUID)} AND …`. */
function joinParts(name: string, count: number, after: string): string {
  const end = after.indexOf('}');
  const parts = Array.from({ length: count }, (_, index) => `{${name}_${index}:${after.slice(0, end)}}`);
  return `arrayConcat(${parts.join(', ')})${after.slice(end + 1)}`;
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
