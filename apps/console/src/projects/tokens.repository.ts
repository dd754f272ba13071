import { Injectable } from '@nestjs/common';
import type { AccessToken, RevealedAccessToken } from '#libs/contracts';
import { hashCredential, newCredential, SecretBox } from '#libs/database';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';

interface Row {
  id: string;
  project_id: string;
  name: string;
  hint: string;
  created_at: Date;
  created_by: string | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

const COLUMNS = `id, project_id, name, hint, created_at, revoked_at, last_used_at,
  (SELECT email FROM users WHERE users.id = access_tokens.created_by) AS created_by`;

/** Binds the ciphertext to its row. */
export const tokenPurpose = (id: string): string => `access token ${id}`;

@Injectable()
export class TokensRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
  ) {}

  async list(projectId: string): Promise<AccessToken[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM access_tokens WHERE project_id = $1 ORDER BY created_at, id`,
      [projectId],
    );
    return rows.map(toToken);
  }

  async reveal(projectId: string, id: string): Promise<RevealedAccessToken | null> {
    const rows: (Row & { encrypted: Buffer })[] = await this.dataSource.query(
      `SELECT ${COLUMNS}, encrypted FROM access_tokens WHERE project_id = $1 AND id = $2`,
      [projectId, id],
    );
    if (rows[0] === undefined) return null;
    const { encrypted, ...row } = rows[0];
    return { ...toToken(row), token: this.secrets.open(encrypted, tokenPurpose(id)) };
  }

  /** @param madeBy null for a program. @returns null when there is no such project. */
  async create(projectId: string, name: string, madeBy: string | null): Promise<RevealedAccessToken | null> {
    const token = newCredential('agt_');
    const id = v7();
    const rows: Row[] = await this.dataSource.query(
      `INSERT INTO access_tokens (id, project_id, name, hash, encrypted, hint, created_by)
       SELECT $1, id, $3, $4, $5, $6, (SELECT id FROM users WHERE id = $7) FROM projects WHERE id = $2 RETURNING ${COLUMNS}`,
      [id, projectId, name, hashCredential(token), this.secrets.seal(token, tokenPurpose(id)), token.slice(-4), madeBy],
    );
    return rows[0] === undefined ? null : { ...toToken(rows[0]), token };
  }

  /** @returns the token's SHA-256, hex; null when there is no such token. */
  async revoke(projectId: string, id: string): Promise<string | null> {
    const [rows]: [{ hash: string }[], number] = await this.dataSource.query(
      `UPDATE access_tokens SET revoked_at = coalesce(revoked_at, now()), is_replaced = false
       WHERE project_id = $1 AND id = $2 RETURNING encode(hash, 'hex') AS hash`,
      [projectId, id],
    );
    return rows[0]?.hash ?? null;
  }
}

const toToken = (row: Row): AccessToken => ({
  ...row,
  created_at: row.created_at.toISOString(),
  revoked_at: row.revoked_at?.toISOString() ?? null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
});
