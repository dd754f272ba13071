import type { Project } from '../api/client.js';
import type { FilterSet } from '../filters/filter-set.js';

/**
 * Returns true if a folder can be used as a path pattern. Visitors choose the paths, and a literal `*` in a folder would be
 * a wildcard.
 */
export const isFolderPattern = (folder: string): boolean => folder.endsWith('/*') && !folder.slice(0, -1).includes('*');

/**
 * Returns the filters that select exactly the visits that count for a path pattern. A visit counts for the first pattern
 * that it matches, so the filters exclude the patterns before.
 *
 * @param value Pattern, or null for visits that match none.
 * @param counted Filters that all visits match.
 */
export function getPatternFilters(
  value: string | null,
  counted: FilterSet,
  patterns: Project['path_patterns'],
): FilterSet {
  const index = patterns.findIndex(({ pattern }) => pattern === value);
  const earlier = patterns.slice(0, index === -1 ? patterns.length : index).map(({ pattern }) => pattern);
  const excluded = [...(counted.not_path ?? []), ...earlier];
  return {
    ...counted,
    ...(value !== null && { path: [value] }),
    ...(excluded.length > 0 && { not_path: excluded }),
  };
}
