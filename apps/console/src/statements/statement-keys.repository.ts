import { createPrivateKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { StatementKey } from '#libs/contracts';
import { auditedTransaction, SecretBox } from '#libs/database';
import { createStatementKey, statementKeyPurpose, type PublicStatementKey, type SigningKey } from '#libs/statements';
import { DataSource, type EntityManager } from 'typeorm';

interface Row {
  public_key: PublicStatementKey;
  created_at: Date;
  replaced_at: Date | null;
}

const COLUMNS = 'public_key, created_at, replaced_at';

@Injectable()
export class StatementKeysRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
  ) {}

  /** Returns all public keys, newest first. */
  async list(): Promise<StatementKey[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM statement_keys ORDER BY created_at DESC, id DESC`,
    );
    return rows.map(toPublicKey);
  }

  async getSigningKey(): Promise<SigningKey> {
    const [row]: { id: string; private_key: Buffer }[] = await this.dataSource.query(
      `SELECT id, private_key FROM statement_keys WHERE replaced_at IS NULL`,
    );
    if (row === undefined) throw new Error('There is no key to sign statements with. Restart the console.');
    const { id, private_key: sealed } = row;
    return { id, privateKey: createPrivateKey(this.secrets.open(sealed, statementKeyPurpose(id))) };
  }

  /** Creates a new key and deletes the current private key. */
  async replace(): Promise<StatementKey> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await transaction.query('LOCK TABLE statement_keys IN SHARE ROW EXCLUSIVE MODE');
      await transaction.query(
        `UPDATE statement_keys SET replaced_at = now(), private_key = NULL WHERE replaced_at IS NULL`,
      );
      return insertKey(transaction, this.secrets);
    });
  }
}

/** Creates the first key. Concurrent callers must hold a lock. */
export async function ensureStatementKey(transaction: EntityManager, secrets: SecretBox): Promise<void> {
  const existing: unknown[] = await transaction.query(`SELECT FROM statement_keys LIMIT 1`);
  if (existing.length === 0) await insertKey(transaction, secrets);
}

async function insertKey(transaction: EntityManager, secrets: SecretBox): Promise<StatementKey> {
  const { publicKey, privateKey } = await createStatementKey();
  const id = publicKey.kid;
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  const [row]: Row[] = await transaction.query(
    `INSERT INTO statement_keys (id, public_key, private_key) VALUES ($1, $2, $3) RETURNING ${COLUMNS}`,
    [id, publicKey, secrets.seal(pem, statementKeyPurpose(id))],
  );
  return toPublicKey(row!);
}

const toPublicKey = ({ public_key: { kty, crv, x, kid }, created_at, replaced_at }: Row): StatementKey => ({
  kty,
  crv,
  x,
  kid,
  use: 'sig',
  alg: 'Ed25519',
  created_at: created_at.toISOString(),
  replaced_at: replaced_at?.toISOString() ?? null,
});
