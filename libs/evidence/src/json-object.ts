/**
 * Parses a JSON object into name–value pairs.
 *
 * @param what Prefix for error messages.
 * @throws {TypeError} if the text isn't a JSON object.
 */
export function readJsonObject(text: string, what: string): [string, unknown][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new TypeError(`${what}: not JSON: ${(error as Error).message}`, { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${what}: not a JSON object`);
  }
  return Object.entries(value);
}
