/** Limits on JSON text, checked before parsing. */
export interface JsonLimits {
  /** Maximum nesting depth of objects and arrays. */
  depth: number;
  /** Maximum number of members per object. */
  members: number;
  /** Approximate maximum number of values, including containers. Text with up to twice as many can pass. */
  values: number;
}

/** Maximum number of members per object in a request body. Higher than any array length limit in the schemas. */
export const MAX_JSON_MEMBERS = 20_000;
/** Minimum average size of a value, in bytes. Dense visits have about 25 bytes per value. */
const MIN_BYTES_PER_VALUE = 20;

/** Returns the limits for request bodies of up to `bytes` bytes. */
export const jsonLimits = (bytes: number): JsonLimits => ({
  depth: 1_000,
  members: MAX_JSON_MEMBERS,
  values: Math.floor(bytes / MIN_BYTES_PER_VALUE),
});

/** Limits for batches of visits. The depth limit is high so that a deeply nested visit doesn't fail the whole batch. */
export const VISITS_JSON_LIMITS: JsonLimits = { ...jsonLimits(5 * 1024 * 1024), depth: 131_072 };

/** Exceeded limit and its position. */
export interface ExceededLimit {
  limit: keyof JsonLimits;
  /** Zero-based byte offset in the text. */
  byte: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [OPEN_ARRAY, CLOSE_ARRAY] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];
/** Lengths of the shortest member, `"":0,`, and the shortest value, `0,`. */
const [MEMBER_CHARACTERS, VALUE_CHARACTERS] = [5, 2];

/**
 * Scans JSON text in one pass before it is parsed, because numerous values and deep nesting are expensive to parse.
 * Doesn't validate the syntax.
 *
 * @returns The first exceeded limit, or null.
 */
export function findExceededLimit(text: string, limits: JsonLimits): ExceededLimit | null {
  const { depth, members, values } = limits;
  if (text.length <= Math.min(depth, members * MEMBER_CHARACTERS, values * VALUE_CHARACTERS)) return null;
  const at = (limit: keyof JsonLimits, index: number): ExceededLimit => ({
    limit,
    byte: Buffer.byteLength(text.slice(0, index)),
  });
  /** Member counts of the enclosing objects. Arrays are represented by -Infinity. */
  const enclosingMemberCounts: number[] = [];
  let memberCount = -Infinity;
  let valueCount = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = findStringEnd(text, index);
      if (index === -1) return null;
    } else if (code === COMMA) {
      valueCount += 1;
      memberCount += 1;
      if (memberCount >= members) return at('members', index);
      if (valueCount > values) return at('values', index);
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      valueCount += 1;
      if (enclosingMemberCounts.push(memberCount) > depth) return at('depth', index);
      if (valueCount > values) return at('values', index);
      memberCount = code === OPEN_OBJECT ? 0 : -Infinity;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      memberCount = enclosingMemberCounts.pop() ?? -Infinity;
    }
  }
  return null;
}

/** Returns the index of the string's closing quote, or -1. The native `indexOf` is faster than a loop. */
function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (index - first) % 2 === 1;
}
