import { matchesPattern, findMatch, getPlainSample } from '#libs/catalog';
import { findPatternFault } from '#libs/agents';
import type { FeedFormat } from '#libs/contracts';

export type FeedEntry =
  /** Entry in a feed. Its `record` hasn't been validated yet. */
  { name: string; record: unknown } | { name: string; refusal: string };

/** Reader for one publisher's format. Never throws. */
export interface FormatReader {
  format: FeedFormat;
  recognizes(document: unknown): boolean;
  /** Yields entries lazily. The document must have passed `recognizes`. */
  entries(document: unknown): Iterable<FeedEntry>;
}

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const toStrings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const MAX_SAMPLES = 100;

/** Returns true if a list's first object satisfies the condition. */
export const firstObjectMatches = (document: unknown, condition: (entry: JsonObject) => boolean): boolean => {
  const first = Array.isArray(document) ? document.find(isObject) : undefined;
  return first !== undefined && condition(first as JsonObject);
};

/** Normalizes an http(s) URL. Returns null if it's invalid, has credentials, or exceeds 2,048 characters. */
export function normalizeUrl(value: unknown): string | null {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url.href.length <= 2_048 ? url.href : null;
}

/**
 * Makes the capturing groups in a JavaScript regular expression non-capturing, as patterns require. Leaves other
 * unsupported syntax in place, so that validation can reject it and suggest a replacement.
 */
export function toPortablePattern(source: string): string {
  let converted = '';
  let isInClass = false;
  for (let index = 0; index < source.length; index += 1) {
    const character = source[index]!;
    converted += character;
    if (character === '\\') converted += source[(index += 1)] ?? '';
    else if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    else if (character === '(' && !isInClass && source[index + 1] !== '?') converted += '?:';
  }
  return converted;
}

export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/**
 * Finds a User-Agent that the pattern matches and derives the agent's name from the match.
 *
 * @returns The reason for rejecting the agent if no name can be derived.
 */
export function deriveName(
  pattern: string,
  samples: readonly string[],
): { name: string; sample: string } | { refusal: string } {
  const fault = findPatternFault(pattern);
  // Check this before running the pattern, because only valid patterns run in linear time.
  if (fault !== null) return { refusal: `The pattern ${fault}.` };
  const sample =
    samples.slice(0, MAX_SAMPLES).find((text) => text.length <= 4_096 && matchesPattern(pattern, text)) ??
    getPlainSample(pattern);
  if (sample === null) return { refusal: 'The pattern does not match any of the listed User-Agents.' };
  const characters = [...(findMatch(pattern, sample) ?? '')];
  const isInWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);
  const name = characters
    .slice(Math.max(0, characters.findIndex(isInWord)), characters.findLastIndex(isInWord) + 1)
    .join('');
  return name === ''
    ? { refusal: 'The matched text has no letters or digits to derive a name from.' }
    : { name, sample };
}
