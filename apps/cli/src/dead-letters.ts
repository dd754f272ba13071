import type { DeadLetter, DeadLetterPage } from '#libs/contracts';
import type { InstanceClient } from './client.js';

/** Maximum number of dead letters per page and per replay request. */
const BATCH = 500;

/** Reads dead letters, newest first. @param projectId Only reads dead letters of this project. */
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
 * Returns the IDs of dead letters that haven't been replayed. Collects all first, because replaying changes the pages.
 *
 * @param isWanted Default: all.
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

/** Publishes dead letters to their topics again. @returns the number replayed. */
export async function replayDeadLetters(client: InstanceClient, ids: readonly string[]): Promise<number> {
  let replayed = 0;
  for (let at = 0; at < ids.length; at += BATCH) {
    const body = { ids: ids.slice(at, at + BATCH) };
    replayed += (await client.post('/api/dead-letters/replay', { body })).replayed;
  }
  return replayed;
}
