import type { DataSource } from 'typeorm';

/** Batches of accepted visits that aren't in the visit store yet. */
export interface PendingBatches {
  batches: number;
  /** Compressed size of the visits. */
  bytes: number;
  /** When the oldest batch was accepted, or null if there are none. */
  oldest_at: Date | null;
}

export async function readPendingBatches(dataSource: DataSource): Promise<PendingBatches> {
  const [row]: PendingBatches[] = await dataSource.query(
    `SELECT count(*)::integer AS batches, coalesce(sum(octet_length(visits)), 0)::float8 AS bytes,
       min(stored_at) AS oldest_at
     FROM visit_batches`,
  );
  return row!;
}

/** Returns the age of the oldest batch in seconds, or 0 if there are none. */
export const getPendingSeconds = ({ oldest_at: oldest }: PendingBatches): number =>
  oldest === null ? 0 : Math.max(0, (Date.now() - oldest.getTime()) / 1_000);
