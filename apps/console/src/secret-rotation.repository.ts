import { auditedTransaction, drainSecretPurpose, type RunStatement, type SecretBox } from '#libs/database';
import { runAsActor } from '#libs/platform';
import { statementKeyPurpose } from '#libs/statements';
import type { DataSource } from 'typeorm';
import { channelSecretPurpose, channelTargetPurpose } from './alerts/channels/channels.repository.js';
import { mailPasswordPurpose } from './alerts/channels/mail-server.repository.js';
import { secondFactorPurpose } from './accounts/second-factors.repository.js';
import { tokenPurpose } from './projects/tokens.repository.js';
import { keyPurpose } from './onboarding/test-agent.repository.js';

/** Encrypted columns. Each ciphertext is bound to its row by `purpose`. */
const ENCRYPTED_COLUMNS = [
  { table: 'access_tokens', column: 'encrypted', purpose: tokenPurpose },
  { table: 'test_agent_keys', column: 'private_key', purpose: keyPurpose },
  { table: 'statement_keys', column: 'private_key', purpose: statementKeyPurpose },
  { table: 'drain_settings', column: 'vercel_secret', purpose: drainSecretPurpose },
  { table: 'alert_channels', column: 'target', purpose: channelTargetPurpose },
  { table: 'alert_channels', column: 'secret', purpose: channelSecretPurpose },
  { table: 'alert_channels', column: 'former_secret', purpose: channelSecretPurpose },
  { table: 'mail_server', column: 'password', purpose: mailPasswordPurpose },
  { table: 'second_factors', column: 'secret', purpose: secondFactorPurpose },
] as const;

const ROWS_PER_BATCH = 500;

interface Rotation {
  /** Number of rows that were re-encrypted with the current key. */
  resealed: number;
  /** Number of rows that neither key can decrypt. They remain unchanged. */
  unreadable: number;
}

/**
 * Re-encrypts rows that still use the previous key. Each batch has its own transaction. The rotation can be interrupted
 * and repeated, and can run alongside processes that have both keys.
 */
export async function resealAll(
  dataSource: DataSource,
  secrets: SecretBox,
  batch: number = ROWS_PER_BATCH,
): Promise<Rotation> {
  return resealColumns(
    (work) =>
      runAsActor({ type: 'command_line', name: 'secrets rotate' }, () =>
        auditedTransaction(dataSource, (transaction) =>
          work((text, parameters) => transaction.query(text, parameters)),
        ),
      ),
    secrets,
    batch,
  );
}

/** Like {@link resealAll}, but in the caller's transaction. */
export const resealInTransaction = (run: RunStatement, secrets: SecretBox): Promise<Rotation> =>
  resealColumns((work) => work(run), secrets, ROWS_PER_BATCH);

type InTransaction = <T>(work: (run: RunStatement) => Promise<T>) => Promise<T>;

async function resealColumns(inTransaction: InTransaction, secrets: SecretBox, batch: number): Promise<Rotation> {
  const rotation: Rotation = { resealed: 0, unreadable: 0 };
  for (const sealed of ENCRYPTED_COLUMNS) {
    for (let lastId: string | null = ''; lastId !== null;) {
      const after: string = lastId;
      lastId = await inTransaction((run) => resealBatch(run, secrets, sealed, { after, batch }, rotation));
    }
  }
  return rotation;
}

/** Returns the last ID, or null if there are no more rows. */
async function resealBatch(
  run: RunStatement,
  secrets: SecretBox,
  { table, column, purpose }: (typeof ENCRYPTED_COLUMNS)[number],
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
    const openedBy = secrets.findKey(sealed, purpose(id));
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
