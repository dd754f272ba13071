export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a member that is an object, or an empty object if there is none. */
export function objectIn(value: unknown, name: string): Record<string, unknown> {
  const member = isObject(value) ? value[name] : undefined;
  return isObject(member) ? member : {};
}

/** Returns undefined if the text isn't valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the JSON value of a body that a framework has read as text, as bytes or already parsed. */
export function jsonOf(body: unknown): unknown {
  if (body instanceof Uint8Array) return parseJson(new TextDecoder().decode(body));
  return typeof body === 'string' ? parseJson(body) : body;
}
