/**
 * Returns LRUCache options that allocate memory as entries are added. The `max` option would allocate all of it in
 * advance.
 */
export const createLruOptions = (maxEntries: number) => ({ maxSize: maxEntries, sizeCalculation: () => 1 });
