import {
  parseDictionary,
  parseItem,
  parseList,
  serializeDictionary,
  serializeItem,
  serializeList,
} from 'structured-headers';
import type { Dictionary } from 'structured-headers';

/** Parses a dictionary (RFC 9651, section 3.2). Returns null if the text is malformed. */
export function tryParseDictionary(text: string): Dictionary | null {
  try {
    return parseDictionary(text);
  } catch {
    return null;
  }
}

/** Returns all distinct serializations of a field whose type is unknown (RFC 9651, section 4.1), most likely first. */
export function listStrictSerializations(text: string): string[] {
  const all = [
    trySerialize(() => serializeDictionary(parseDictionary(text))),
    trySerialize(() => serializeList(parseList(text))),
    trySerialize(() => serializeItem(parseItem(text))),
  ];
  return [...new Set(all.filter((serialization) => serialization !== null))];
}

function trySerialize(run: () => string): string | null {
  try {
    return run();
  } catch {
    return null;
  }
}
