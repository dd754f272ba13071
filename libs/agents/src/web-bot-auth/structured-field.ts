import {
  parseDictionary,
  parseItem,
  parseList,
  serializeDictionary,
  serializeItem,
  serializeList,
} from 'structured-headers';
import type { Dictionary } from 'structured-headers';

/** A dictionary (RFC 9651 section 3.2), or `null` for anything else. */
export function readDictionary(text: string): Dictionary | null {
  try {
    return parseDictionary(text);
  } catch {
    return null;
  }
}

/** Writes a field of unknown type as RFC 9651 section 4.1 would, or `null` where it is none of the three. */
export function strictlySerialized(text: string): string | null {
  return (
    attempt(() => serializeDictionary(parseDictionary(text))) ??
    attempt(() => serializeList(parseList(text))) ??
    attempt(() => serializeItem(parseItem(text)))
  );
}

function attempt(run: () => string): string | null {
  try {
    return run();
  } catch {
    return null;
  }
}
