/** Options of an LRUCache for so many entries whose memory is taken as they come. `max` takes 0.3 MB for 10,000 in advance. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
