/** Maximum length of an encoded or plain value, in characters. Longer values aren't decoded. */
export const MAX_ENCODED_CHARACTERS = 16_384;
const MAX_DEPTH = 10;
const BASE64 = /^[\w+/-]+={0,2}$/;

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Decodes a JSON object that is encoded as base64 or base64url, or isn't encoded. Returns null if the value is too long,
 * nested more than 10 levels deep, or malformed.
 */
export function decodeObject(value: string): JsonObject | null {
  if (value.length > MAX_ENCODED_CHARACTERS) return null;
  const text = value.trim();
  try {
    const json = text.startsWith('{') ? text : decodeBase64(text);
    return json === null || isTooDeep(json) ? null : asObject(JSON.parse(json));
  } catch {
    return null;
  }
}

/** Returns an object's own member, or undefined. */
export const getMember = (object: JsonObject | null, name: string): unknown =>
  object !== null && Object.hasOwn(object, name) ? object[name] : undefined;

export const getObject = (object: JsonObject | null, name: string): JsonObject | null =>
  asObject(getMember(object, name));

/** Returns a member if it's text that matches the pattern, or null. */
export function getText(object: JsonObject | null, name: string, pattern: RegExp): string | null {
  const value = getMember(object, name);
  return typeof value === 'string' && pattern.test(value) ? value : null;
}

/** Returns the value if it's an object, or null. */
export const asObject = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;

function decodeBase64(text: string): string | null {
  if (!BASE64.test(text)) return null;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (byte) => byte.charCodeAt(0)));
}

function isTooDeep(json: string): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index]!;
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) index += character === '\\' ? 1 : 0;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return false;
}
