/** What reading a JSON text may cost. */
export interface JsonLimits {
  /** Objects and arrays within one another. */
  depth: number;
  /** Members of one object. */
  members: number;
  /** Values in all, containers among them. A text with up to twice as many may pass. */
  values: number;
}

/** Members of one object in a body: more than any schema allows items of an array. */
export const MAX_JSON_MEMBERS = 20_000;
/** Bytes of a body for each value that it may hold; dense visits take 25. */
const BYTES_PER_VALUE = 20;

/** The limits of a body of at most so many bytes. */
export const jsonLimits = (bytes: number): JsonLimits => ({
  depth: 1_000,
  members: MAX_JSON_MEMBERS,
  values: Math.floor(bytes / BYTES_PER_VALUE),
});

/** Batches of visits may be nested much deeper, so that a visit that is too deep is refused alone. */
export const VISITS_JSON_LIMITS: JsonLimits = { ...jsonLimits(5 * 1024 * 1024), depth: 131_072 };

/** The limit that a text exceeds, and the byte at which it does. */
export interface ExceededLimit {
  limit: keyof JsonLimits;
  /** From 0. */
  byte: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [OPEN_ARRAY, CLOSE_ARRAY] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];
/** `"":0,` is the shortest member, `0,` the shortest value. */
const [MEMBER_CHARACTERS, VALUE_CHARACTERS] = [5, 2];

/**
 * Looks once over a text that may be JSON, before it is parsed: parsing takes time and memory for each value, and for
 * each level and each name much more. Whether it is JSON is for the parser to say.
 *
 * @returns null for a text within the limits.
 */
export function exceededLimit(text: string, limits: JsonLimits): ExceededLimit | null {
  const { depth, members, values } = limits;
  if (text.length <= Math.min(depth, members * MEMBER_CHARACTERS, values * VALUE_CHARACTERS)) return null;
  const at = (limit: keyof JsonLimits, index: number): ExceededLimit => ({
    limit,
    byte: Buffer.byteLength(text.slice(0, index)),
  });
  /** Members so far of the objects around; -Infinity stands for an array. */
  const around: number[] = [];
  let ownMembers = -Infinity;
  let all = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index);
      if (index === -1) return null;
    } else if (code === COMMA) {
      all += 1;
      ownMembers += 1;
      if (ownMembers >= members) return at('members', index);
      if (all > values) return at('values', index);
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      all += 1;
      if (around.push(ownMembers) > depth) return at('depth', index);
      if (all > values) return at('values', index);
      ownMembers = code === OPEN_OBJECT ? 0 : -Infinity;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      ownMembers = around.pop() ?? -Infinity;
    }
  }
  return null;
}

/** Where the string that begins at `start` ends; -1 where it doesn't. The search for a character is native. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (index - first) % 2 === 1;
}
