import type { VisitDeletion } from '#libs/contracts';
import type { InstanceClient } from './client.js';
import { note, print } from './output.js';
import { plural } from './terminal-text.js';

/** Deletes visits in several requests and reports progress on standard error. */
export async function deleteVisits(client: InstanceClient, deletion: Omit<VisitDeletion, 'cursor'>): Promise<void> {
  const deleted = { visits: 0, dead_letters: 0, refused_requests: 0 };
  let waiting = 0;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const body = { ...deletion, ...(cursor !== undefined && { cursor }) };
    const result = await client.post('/api/visits/delete', { body });
    deleted.visits += result.deleted.visits;
    deleted.dead_letters += result.deleted.dead_letters;
    deleted.refused_requests += result.deleted.refused_requests;
    waiting = result.waiting;
    cursor = result.next_cursor;
    if (cursor !== null) note(`${Math.floor(result.progress * 100)}%, ${plural(deleted.visits, 'visit')} deleted`);
  }
  print(
    `Deleted ${plural(deleted.visits, 'visit')}, ${plural(deleted.dead_letters, 'dead letter')} and ` +
      `${plural(deleted.refused_requests, 'rejected request')}. Statistics are not affected.`,
  );
  if (waiting > 0) {
    note(
      `${plural(waiting, 'report')} in the outbox will be stored when Kafka is available again. Run this command again after that.`,
    );
  }
  note(
    'Backups, exports, the archive and your own consumers still contain these visits. Kafka deletes messages when they expire.',
  );
}
