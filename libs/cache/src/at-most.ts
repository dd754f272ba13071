/** Options for an LRUCache that allocates memory as entries are added. `max` allocates it in advance. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
