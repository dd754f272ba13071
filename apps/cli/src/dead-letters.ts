import type { DeadLetter, DeadLetterPage } from '#libs/contracts';
import type { InstanceClient } from './client.js';

/** Dead letters in one request: of a page, and of a replay. */
const BATCH = 500;

/** Reads dead letters, newest first. @param projectId only those of this project. */
export async function* deadLetters(
  client: InstanceClient,
  projectId?: string,
  limit = BATCH,
): AsyncGenerator<DeadLetter> {
  let cursor: string | undefined;
  do {
    const query = { project: projectId, limit: Math.min(limit, BATCH), cursor };
    const page: DeadLetterPage = await client.get('/api/dead-letters', { params: { query } });
    yield* page.dead_letters;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/**
 * Returns the ids of those that were not replayed, gathered first: replaying changes the pages.
 *
 * @param isWanted all unless given.
 */
export async function openDeadLetters(
  client: InstanceClient,
  projectId?: string,
  isWanted: (letter: DeadLetter) => boolean = () => true,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const letter of deadLetters(client, projectId)) {
    if (letter.replayed_at === null && isWanted(letter)) ids.push(letter.id);
  }
  return ids;
}

/** Puts dead letters back on their topics. @returns how many. */
export async function replayDeadLetters(client: InstanceClient, ids: readonly string[]): Promise<number> {
  let replayed = 0;
  for (let at = 0; at < ids.length; at += BATCH) {
    const body = { ids: ids.slice(at, at + BATCH) };
    replayed += (await client.post('/api/dead-letters/replay', { body })).replayed;
  }
  return replayed;
}
