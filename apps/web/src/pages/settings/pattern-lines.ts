import type { Project } from '../../api/client.js';
import { joinLines, parseLines } from '../../format/lines.js';

type NamedPattern = Project['path_patterns'][number];

export const formatPatterns = (patterns: readonly NamedPattern[]): string =>
  joinLines(patterns.map(({ name, pattern }) => (name === pattern ? pattern : `${pattern} ${name}`)));

/** Parses lines with a pattern and an optional name, which defaults to the pattern. */
export const parsePatterns = (text: string): NamedPattern[] =>
  parseLines(text).map((line) => {
    const [pattern = '', ...words] = line.split(/\s+/);
    return { name: words.join(' ') || pattern, pattern };
  });
