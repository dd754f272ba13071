import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { computeThumbprint, type Jwk } from '#libs/agents';
import { SecretBox } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';

export interface TestAgentKey {
  /** RFC 7638 thumbprint. */
  id: string;
  privateKey: KeyObject;
}

/** Returns the encryption context that binds the ciphertext to its row. */
export const keyPurpose = (id: string): string => `test agent key ${id}`;

@Injectable()
export class TestAgentRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
  ) {}

  async getNewestKey(): Promise<TestAgentKey> {
    const [row]: { id: string; private_key: Buffer }[] = await this.dataSource.query(
      `SELECT id, private_key FROM test_agent_keys ORDER BY created_at DESC, id LIMIT 1`,
    );
    if (row === undefined) throw new Error('The test agent has no key. Run "agent-traffic migrate".');
    return { id: row.id, privateKey: createPrivateKey(this.secrets.open(row.private_key, keyPurpose(row.id))) };
  }
}

export async function ensureTestAgentKey(transaction: EntityManager, secrets: SecretBox): Promise<void> {
  const existing: unknown[] = await transaction.query(`SELECT FROM test_agent_keys LIMIT 1`);
  if (existing.length > 0) return;
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ed25519');
  const jwk = publicKey.export({ format: 'jwk' }) as Jwk;
  const id = computeThumbprint(jwk);
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  await transaction.query(`INSERT INTO test_agent_keys (id, public_key, private_key) VALUES ($1, $2, $3)`, [
    id,
    jwk,
    secrets.seal(pem, keyPurpose(id)),
  ]);
}
