/** Sorts the keys of objects, because the server doesn't return them in the order they were sent. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, content]) => [key, sortKeys(content)]));
}

/** Compares two JSON values. The order of keys and keys without a value don't count. */
export const isSameContent = (one: unknown, other: unknown): boolean =>
  JSON.stringify(sortKeys(one)) === JSON.stringify(sortKeys(other));
