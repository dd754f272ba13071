import { auditedTransaction, drainSecretPurpose, type RunStatement, type SecretBox } from '#libs/database';
import { actingAs } from '#libs/platform';
import type { DataSource } from 'typeorm';
import { channelSecretPurpose, channelTargetPurpose } from './alerts/channels/channels.repository.js';
import { secondFactorPurpose } from './accounts/second-factors.repository.js';
import { tokenPurpose } from './projects/tokens.repository.js';
import { keyPurpose } from './connecting/test-agent.repository.js';

/** Encrypted columns. Each ciphertext is bound to its row by `purpose`. */
const SEALED = [
  { table: 'access_tokens', column: 'encrypted', purpose: tokenPurpose },
  { table: 'test_agent_keys', column: 'private_key', purpose: keyPurpose },
  { table: 'drain_settings', column: 'vercel_secret', purpose: drainSecretPurpose },
  { table: 'alert_channels', column: 'target', purpose: channelTargetPurpose },
  { table: 'alert_channels', column: 'secret', purpose: channelSecretPurpose },
  { table: 'alert_channels', column: 'former_secret', purpose: channelSecretPurpose },
  { table: 'second_factors', column: 'secret', purpose: secondFactorPurpose },
] as const;

const ROWS_PER_BATCH = 500;

interface Rotation {
  /** Rows re-encrypted with the current key. */
  resealed: number;
  /** Rows that neither key can decrypt. They stay the same. */
  unreadable: number;
}

/**
 * Re-encrypts rows that still use the previous key. Each batch is its own transaction. Can be interrupted, repeated,
 * and run alongside processes that have both keys.
 */
export async function resealAll(
  dataSource: DataSource,
  secrets: SecretBox,
  batch: number = ROWS_PER_BATCH,
): Promise<Rotation> {
  return resealIn(
    (work) =>
      actingAs({ type: 'command_line', name: 'secrets rotate' }, () =>
        auditedTransaction(dataSource, (transaction) =>
          work((text, parameters) => transaction.query(text, parameters)),
        ),
      ),
    secrets,
    batch,
  );
}

/** Like {@link resealAll}, but within the caller's transaction. */
export const resealWith = (run: RunStatement, secrets: SecretBox): Promise<Rotation> =>
  resealIn((work) => work(run), secrets, ROWS_PER_BATCH);

type InTransaction = <T>(work: (run: RunStatement) => Promise<T>) => Promise<T>;

async function resealIn(inTransaction: InTransaction, secrets: SecretBox, batch: number): Promise<Rotation> {
  const rotation: Rotation = { resealed: 0, unreadable: 0 };
  for (const sealed of SEALED) {
    for (let last: string | null = ''; last !== null;) {
      const after: string = last;
      last = await inTransaction((run) => resealBatch(run, secrets, sealed, { after, batch }, rotation));
    }
  }
  return rotation;
}

/** @returns the last ID, or null if there are no more rows. */
async function resealBatch(
  run: RunStatement,
  secrets: SecretBox,
  { table, column, purpose }: (typeof SEALED)[number],
  { after, batch }: { after: string; batch: number },
  rotation: Rotation,
): Promise<string | null> {
  const rows = await run<{ id: string; sealed: Buffer }>(
    `SELECT id::text AS id, ${column} AS sealed FROM ${table}
     WHERE id::text > $1 AND ${column} IS NOT NULL ORDER BY id::text LIMIT $2 FOR UPDATE`,
    [after, batch],
  );
  const renewed: { id: string; sealed: Buffer }[] = [];
  for (const { id, sealed } of rows) {
    const openedBy = secrets.keyOf(sealed, purpose(id));
    if (openedBy === null) rotation.unreadable++;
    if (openedBy === 'previous') {
      renewed.push({ id, sealed: secrets.seal(secrets.open(sealed, purpose(id)), purpose(id)) });
    }
  }
  if (renewed.length > 0) {
    await run(
      `UPDATE ${table} SET ${column} = n.sealed FROM unnest($1::text[], $2::bytea[]) AS n (id, sealed)
       WHERE ${table}.id::text = n.id`,
      [renewed.map(({ id }) => id), renewed.map(({ sealed }) => sealed)],
    );
  }
  rotation.resealed += renewed.length;
  return rows.length < batch ? null : rows.at(-1)!.id;
}
