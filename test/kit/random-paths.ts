import * as fc from 'fast-check';

/** Paths with and without the suffixes that don't distinguish pages. */
export const arbitraryPath = fc
  .array(fc.constantFrom('/', '.md', '.html', '/index', 'index', '.', 'md', 'a', '?', '\n', 'ü'), { maxLength: 12 })
  .map((parts) => parts.join(''));

/** Returns the same paths in each run. */
export const randomPaths = (count: number): string[] => fc.sample(arbitraryPath, { numRuns: count, seed: 1 });
