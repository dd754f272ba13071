import { parsePattern } from '#libs/agents';

/** A User-Agent in which the pattern finds its agent, where the pattern is a plain text; else `null`. */
export function plainSample(pattern: string): string | null {
  const text = plainText(pattern);
  return text !== null && finds(pattern, text) ? text : null;
}

export interface PairedSamples {
  /** One for each pattern; `null` where there is none. */
  samples: (string | null)[];
  /** Samples that were given and that no pattern took. */
  unused: string[];
}

/** Gives each pattern the first of the samples in which it is found, or one of its own making; in the patterns' order. */
export function pairSamples(patterns: readonly string[], given: readonly string[]): PairedSamples {
  const unused = [...given];
  const samples = patterns.map((pattern) => {
    const index = unused.findIndex((sample) => finds(pattern, sample));
    return index === -1 ? plainSample(pattern) : unused.splice(index, 1)[0]!;
  });
  return { samples, unused };
}

export const finds = (pattern: string, userAgent: string): boolean => foundBy(pattern, userAgent) !== null;

/** The part of a User-Agent that a pattern finds first; `null` where it finds none, or is not an expression. */
export function foundBy(pattern: string, userAgent: string): string | null {
  try {
    return new RegExp(pattern, 'i').exec(userAgent)?.[0] ?? null;
  } catch {
    return null;
  }
}

/** What a pattern matches, but for edges; `null` where that is more than one text, digits aside. */
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
