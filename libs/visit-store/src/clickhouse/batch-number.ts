/**
 * A visit's number in its shard consists of the batch number and, in the low bits, of the visit's one-based index among
 * the visits of its project in the batch.
 */
export const INDEX_BITS = 14;

/** Maximum number of visits in a batch. */
export const MAX_BATCH_VISITS = 2 ** INDEX_BITS - 1;

/** Returns the last number before those of a batch. */
export const numberBefore = (batch: number): number => batch * 2 ** INDEX_BITS;
