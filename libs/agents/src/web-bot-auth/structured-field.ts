import {
  parseDictionary,
  parseItem,
  parseList,
  serializeDictionary,
  serializeItem,
  serializeList,
} from 'structured-headers';
import type { Dictionary } from 'structured-headers';

/** Parses a dictionary (RFC 9651, section 3.2). Returns null if the text isn't one. */
export function readDictionary(text: string): Dictionary | null {
  try {
    return parseDictionary(text);
  } catch {
    return null;
  }
}

/** Returns the distinct serializations of a field of unknown type (RFC 9651, section 4.1), likeliest first. */
export function strictSerializations(text: string): string[] {
  const all = [
    attempt(() => serializeDictionary(parseDictionary(text))),
    attempt(() => serializeList(parseList(text))),
    attempt(() => serializeItem(parseItem(text))),
  ];
  return [...new Set(all.filter((one) => one !== null))];
}

function attempt(run: () => string): string | null {
  try {
    return run();
  } catch {
    return null;
  }
}
