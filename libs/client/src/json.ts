export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member of an object, if it is an object; else an empty one. */
export function objectIn(value: unknown, name: string): Record<string, unknown> {
  const member = isObject(value) ? value[name] : undefined;
  return isObject(member) ? member : {};
}

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the JSON value of a body that a framework has read: parsed already, or still as text or bytes. */
export function jsonOf(body: unknown): unknown {
  if (body instanceof Uint8Array) return parseJson(new TextDecoder().decode(body));
  return typeof body === 'string' ? parseJson(body) : body;
}
