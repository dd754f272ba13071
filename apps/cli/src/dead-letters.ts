import type { DeadLetter, DeadLetterPage } from '#libs/contracts';
import type { InstanceClient } from './client.js';

const BATCH_SIZE = 500;

/**
 * Lists dead letters, newest first.
 *
 * @param projectId Default: all projects.
 * @param limit Page size hint. Iteration continues to the last page.
 */
export async function* listDeadLetters(
  client: InstanceClient,
  projectId?: string,
  limit = BATCH_SIZE,
): AsyncGenerator<DeadLetter> {
  let cursor: string | undefined;
  do {
    const query = { project: projectId, limit: Math.min(limit, BATCH_SIZE), cursor };
    const page: DeadLetterPage = await client.get('/api/dead-letters', { params: { query } });
    yield* page.dead_letters;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/**
 * Returns the IDs of dead letters that haven't been replayed. All of them are read before any is replayed, because
 * replayed ones disappear from the list and would shift its pages.
 */
export async function findUnreplayedIds(
  client: InstanceClient,
  projectId?: string,
  isWanted: (letter: DeadLetter) => boolean = () => true,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const letter of listDeadLetters(client, projectId)) {
    if (letter.replayed_at === null && isWanted(letter)) ids.push(letter.id);
  }
  return ids;
}

/** Publishes dead letters to their topics again. @returns the number of replayed dead letters. */
export async function replayDeadLetters(client: InstanceClient, ids: readonly string[]): Promise<number> {
  let replayed = 0;
  for (let offset = 0; offset < ids.length; offset += BATCH_SIZE) {
    const body = { ids: ids.slice(offset, offset + BATCH_SIZE) };
    replayed += (await client.post('/api/dead-letters/replay', { body })).replayed;
  }
  return replayed;
}
