import { finds, foundBy, plainSample } from '#libs/catalog';
import { patternFault } from '#libs/agents';
import type { FeedFormat } from '#libs/contracts';

export type FeedEntry =
  /** `record` isn't validated yet. */
  { name: string; record: unknown } | { name: string; refusal: string };

/** Reader for the format of one publisher. Never throws. */
export interface FormatReader {
  format: FeedFormat;
  recognizes(document: unknown): boolean;
  /** Yields entries lazily. `recognizes` must have accepted the document. */
  entries(document: unknown): Iterable<FeedEntry>;
}

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** Maximum number of User-Agents tried per agent. */
const MAX_SAMPLES = 100;

/** Returns whether the first object in a list satisfies a condition. */
export const isListOf = (document: unknown, is: (entry: JsonObject) => boolean): boolean => {
  const first = Array.isArray(document) ? document.find(isObject) : undefined;
  return first !== undefined && is(first as JsonObject);
};

/** Returns a normalized http(s) URL without credentials, up to 2,048 characters long. Null for anything else. */
export function webAddress(value: unknown): string | null {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url.href.length <= 2_048 ? url.href : null;
}

/**
 * Converts a JavaScript regular expression to the subset that patterns support: capturing groups become non-capturing.
 * Other unsupported syntax stays. Validation rejects it later, with advice on how to replace it.
 */
export function portablePattern(source: string): string {
  let portable = '';
  let isInClass = false;
  for (let index = 0; index < source.length; index += 1) {
    const character = source[index]!;
    portable += character;
    if (character === '\\') portable += source[(index += 1)] ?? '';
    else if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    else if (character === '(' && !isInClass && source[index + 1] !== '?') portable += '?:';
  }
  return portable;
}

export const literalPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/**
 * Finds a User-Agent that a pattern matches, and derives the agent's name from the match.
 *
 * @param samples User-Agents of the agent.
 * @returns A refusal with the reason if no name can be found.
 */
export function nameBy(
  pattern: string,
  samples: readonly string[],
): { name: string; sample: string } | { refusal: string } {
  const fault = patternFault(pattern);
  // Checked before the pattern runs: valid patterns take linear time.
  if (fault !== null) return { refusal: `Its pattern ${fault}.` };
  const sample =
    samples.slice(0, MAX_SAMPLES).find((text) => text.length <= 4_096 && finds(pattern, text)) ?? plainSample(pattern);
  if (sample === null) return { refusal: 'None of its User-Agents is one that its pattern matches.' };
  const characters = [...(foundBy(pattern, sample) ?? '')];
  const isInWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);
  const name = characters
    .slice(Math.max(0, characters.findIndex(isInWord)), characters.findLastIndex(isInWord) + 1)
    .join('');
  return name === '' ? { refusal: 'Its pattern matches nothing that could be its name.' } : { name, sample };
}
