import { parsePattern } from '#libs/agents';

/** Returns a sample User-Agent for a pattern that is plain text, or `null` for any other pattern. */
export function plainSample(pattern: string): string | null {
  const text = plainText(pattern);
  return text !== null && finds(pattern, text) ? text : null;
}

export interface PairedSamples {
  /** One sample per pattern; `null` if no sample matches. */
  samples: (string | null)[];
  /** Supplied samples that weren't assigned to a pattern. */
  unused: string[];
}

/**
 * Assigns to each pattern the first unused sample that it matches. Plain-text patterns without one get a generated
 * sample.
 */
export function pairSamples(patterns: readonly string[], given: readonly string[]): PairedSamples {
  const unused = [...given];
  const samples = patterns.map((pattern) => {
    const index = unused.findIndex((sample) => finds(pattern, sample));
    return index === -1 ? plainSample(pattern) : unused.splice(index, 1)[0]!;
  });
  return { samples, unused };
}

export const finds = (pattern: string, userAgent: string): boolean => foundBy(pattern, userAgent) !== null;

/** Returns the first part of a User-Agent that a pattern matches. `null`: no match, or an invalid expression. */
export function foundBy(pattern: string, userAgent: string): string | null {
  try {
    return new RegExp(pattern, 'i').exec(userAgent)?.[0] ?? null;
  } catch {
    return null;
  }
}

/** Returns the text that a pattern matches, with 1 for each `\d`. `null` if it matches more than one text. */
function plainText(pattern: string): string | null {
  const tree = parsePattern(pattern);
  if (tree?.kind !== 'sequence') return null;
  let text = '';
  for (const part of tree.parts) {
    if (part.kind === 'edge') continue;
    if (part.kind !== 'set') return null;
    if (part.source === '\\d') text += '1';
    else if (part.codes.size === 1) text += part.source.at(-1)!;
    else return null;
  }
  return text === '' ? null : text;
}
