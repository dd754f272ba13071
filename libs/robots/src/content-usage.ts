/** Preference for a use of content. */
export interface UsagePreference {
  /** Label of the category, such as `train-ai`. */
  name: string;
  isAllowed: boolean;
}

/** Values of structured fields other than tokens (RFC 9651, section 3), which express no preference. */
const OTHER_VALUES = [
  /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"/,
  /^-?\d{1,12}\.\d{1,3}/,
  /^@?-?\d{1,15}/,
  /^:[A-Za-z0-9+/=]*:/,
  /^\?[01]/,
  /^%"[\x20\x21\x23-\x7e]*"/,
  /^\([^()"]*\)/,
];
const KEY = /^[a-z*][a-z0-9_.*-]*/;
const TOKEN = /^[A-Za-z*][\w!#$%&'*+.^`|~:/-]*/;
const MAX_LENGTH = 2_048;

/**
 * Parses the preferences of a `Content-Usage` header or rule: a dictionary of labels with the tokens `y` and `n` (RFC
 * 9651; draft-ietf-aipref-vocab-08, section 6.5).
 *
 * @returns Preferences by label. If a label is repeated, the last value applies. Empty if the text isn't a dictionary,
 *   because then all preferences are unknown.
 */
export function parseContentUsage(text: string): UsagePreference[] {
  if (text.length > MAX_LENGTH) return [];
  const reader = new Reader(text.trim());
  const values = new Map<string, string | null>();
  while (!reader.isAtEnd) {
    const key = reader.take(KEY);
    if (key === null) return [];
    const value = reader.takeValue();
    if (value === undefined || !reader.skipParameters()) return [];
    values.set(key, value);
    if (reader.isAtEnd) break;
    // A comma at the end is an error.
    if (reader.take(/^[ \t]*,[ \t]*/) === null || reader.isAtEnd) return [];
  }
  return [...values].flatMap(([name, value]) =>
    value === 'y' || value === 'n' ? { name, isAllowed: value === 'y' } : [],
  );
}

class Reader {
  constructor(private rest: string) {}

  get isAtEnd(): boolean {
    return this.rest === '';
  }

  /** Returns the text that the expression matches, or null. */
  take(expression: RegExp): string | null {
    const match = expression.exec(this.rest);
    if (match === null) return null;
    this.rest = this.rest.slice(match[0].length);
    return match[0];
  }

  /** Returns a token, null for any other value, or undefined if there is an error. */
  takeValue(): string | null | undefined {
    if (this.take(/^=/) === null) return null;
    const token = this.take(TOKEN);
    if (token !== null) return token;
    return OTHER_VALUES.some((expression) => this.take(expression) !== null) ? null : undefined;
  }

  /** Skips parameters, which have no meaning. Returns false if there is an error. */
  skipParameters(): boolean {
    while (this.take(/^; */) !== null) {
      if (this.take(KEY) === null || this.takeValue() === undefined) return false;
    }
    return true;
  }
}
