import type { VisitDeletion } from '#libs/contracts';
import type { InstanceClient } from './client.js';
import { note, print } from './output.js';
import { plural } from './terminal-text.js';

/** Deletes visits in parts, and shows the progress on standard error. */
export async function deleteVisits(client: InstanceClient, wanted: Omit<VisitDeletion, 'cursor'>): Promise<void> {
  const deleted = { visits: 0, dead_letters: 0, refused_requests: 0 };
  let waiting = 0;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const body = { ...wanted, ...(cursor !== undefined && { cursor }) };
    const result = await client.post('/api/visits/delete', { body });
    deleted.visits += result.deleted.visits;
    deleted.dead_letters += result.deleted.dead_letters;
    deleted.refused_requests += result.deleted.refused_requests;
    waiting = result.waiting;
    cursor = result.next_cursor;
    if (cursor !== null) note(`${Math.floor(result.progress * 100)} %, ${plural(deleted.visits, 'visit')} deleted`);
  }
  print(
    `Deleted ${plural(deleted.visits, 'visit')}, ${plural(deleted.dead_letters, 'dead letter')} and ` +
      `${plural(deleted.refused_requests, 'refused request')}. Counts stay.`,
  );
  if (waiting > 0) {
    note(`${plural(waiting, 'report')} in the outbox will be stored when Kafka is back. Run this command again then.`);
  }
  note('Backups, exports and your own consumers keep what they have. Kafka deletes messages by their age.');
}
