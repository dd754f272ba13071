import { parsePattern } from '#libs/agents';

/** Returns a User-Agent that a plain-text pattern matches, or null for any other pattern. */
export function getPlainSample(pattern: string): string | null {
  const text = getPlainText(pattern);
  return text !== null && matchesPattern(pattern, text) ? text : null;
}

export interface PairedSamples {
  /** One sample per pattern, or null if no sample matches it. */
  samples: (string | null)[];
  /** Supplied samples that weren't assigned to a pattern. */
  unused: string[];
}

/**
 * Assigns each pattern the first unused sample that it matches. If none does, a plain-text pattern gets a generated
 * sample.
 */
export function pairSamples(patterns: readonly string[], candidates: readonly string[]): PairedSamples {
  const unused = [...candidates];
  const samples = patterns.map((pattern) => {
    const index = unused.findIndex((sample) => matchesPattern(pattern, sample));
    return index === -1 ? getPlainSample(pattern) : unused.splice(index, 1)[0]!;
  });
  return { samples, unused };
}

export const matchesPattern = (pattern: string, userAgent: string): boolean => findMatch(pattern, userAgent) !== null;

/** Returns the first match of a pattern in a User-Agent, or null if it has none or the pattern is invalid. */
export function findMatch(pattern: string, userAgent: string): string | null {
  try {
    return new RegExp(pattern, 'i').exec(userAgent)?.[0] ?? null;
  } catch {
    return null;
  }
}

/**
 * Returns the only text that a pattern matches, with `1` for each `\d`. Returns null if the pattern can match different
 * texts.
 */
function getPlainText(pattern: string): string | null {
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
