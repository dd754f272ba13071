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

export function finds(pattern: string, userAgent: string): boolean {
  try {
    return new RegExp(pattern, 'i').test(userAgent);
  } catch {
    return false;
  }
}

/** What stands in a pattern but for edges, looks behind, and the look ahead of generic agents. */
function plainText(pattern: string): string | null {
  const seen = /^\(\?=(.*)\)\.{1,2}$/s.exec(pattern)?.[1] ?? pattern;
  let isPlain = true;
  const text = seen
    .replace(/^(?:\(\?<!(?:\\.|[^()\\])*\))+/s, '')
    .replace(/\\(.)|[\^$]|[*+?()[\]{}|]/gs, (found: string, escaped: string | undefined) => {
      if (found === '^' || found === '$' || escaped === 'b') return '';
      if (escaped === 'd') return '1';
      if (escaped !== undefined && !/[A-Za-z0-9]/.test(escaped)) return escaped;
      isPlain = false;
      return '';
    });
  return isPlain && text !== '' ? text : null;
}
