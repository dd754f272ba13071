import { requestContext, type Actor } from '#libs/platform';
import type { Pool, PoolClient } from 'pg';

type Connected = (error: Error | undefined, client?: PoolClient, release?: PoolClient['release']) => void;

/** What the triggers of the audit log read. */
const SETTING = 'agent_traffic.actor';

/**
 * Has connections say who acts while a request that changes something uses them: the audit log's triggers read it. Nobody
 * acts on a connection that is returned, so what other requests do is never put down to them; one that can't be told so is
 * closed.
 */
export function vouchForActors(pool: Pool): void {
  const connect = pool.connect.bind(pool) as unknown as (callback?: Connected) => Promise<PoolClient> | void;
  const vouched = async (actor: Actor): Promise<PoolClient> => {
    const client = (await connect())!;
    const release = client.release;
    const say = (text: string): Promise<unknown> => client.query(`SELECT set_config('${SETTING}', $1, false)`, [text]);
    client.release = (destroy) => {
      client.release = release;
      if (destroy) release(destroy);
      else say('').then(() => release(), release);
    };
    try {
      await say(JSON.stringify(actor));
      return client;
    } catch (error) {
      release(error as Error);
      throw error;
    }
  };
  pool.connect = ((callback?: Connected) => {
    // As it was asked: with a callback, this runs where another request returned the connection.
    const actor = requestContext.get()?.actor;
    if (actor === undefined) return connect(callback);
    const connecting = vouched(actor);
    if (callback === undefined) return connecting;
    connecting.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }) as unknown as Pool['connect'];
}
