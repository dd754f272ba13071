export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an object member by name, or an empty object if the member is missing or isn't an object. */
export function getObject(value: unknown, name: string): Record<string, unknown> {
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

/** Returns the parsed JSON body, whether a framework exposes it as bytes, text or a parsed value. */
export function parseBody(body: unknown): unknown {
  if (body instanceof Uint8Array) return parseJson(new TextDecoder().decode(body));
  return typeof body === 'string' ? parseJson(body) : body;
}
