import { finds, foundBy, plainSample } from '#libs/catalog';
import { patternFault } from '#libs/agents';
import type { FeedFormat } from '#libs/contracts';

/** What a feed's document says of one agent. */
export type FeedEntry =
  /** `record` is yet to be checked. */
  | { name: string; record: unknown }
  /** It can't be expressed as an agent. */
  | { name: string; refusal: string };

/** Reads the documents of one publisher, told by their content. Never throws, whatever the document. */
export interface FormatReader {
  format: FeedFormat;
  recognizes(document: unknown): boolean;
  /** Reads them one by one, as they are asked for. Only for a document that it recognizes. */
  entries(document: unknown): Iterable<FeedEntry>;
}

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The texts of a list; none of anything else. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** User-Agents of an agent that are tried. */
const MAX_SAMPLES = 100;

/** Whether the first object of a list is of a kind. */
export const isListOf = (document: unknown, is: (entry: JsonObject) => boolean): boolean => {
  const first = Array.isArray(document) ? document.find(isObject) : undefined;
  return first !== undefined && is(first as JsonObject);
};

/** An address of a page, or null for anything else. */
export function webAddress(value: unknown): string | null {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url.href.length <= 2_048 ? url.href : null;
}

/**
 * Writes a JavaScript expression in the subset that patterns have in common, as far as that says the same: capturing groups
 * become others. What else is not in the subset is refused later, with what to write instead.
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

/** A pattern that finds just this text. */
export const literalPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/**
 * Finds a User-Agent for a pattern, and the name in it.
 *
 * @param samples User-Agents of the agent.
 * @returns the reason where there is none.
 */
export function nameBy(
  pattern: string,
  samples: readonly string[],
): { name: string; sample: string } | { refusal: string } {
  const fault = patternFault(pattern);
  // Before it is run: what passes takes linear time.
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
