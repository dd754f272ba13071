import { Injectable } from '@nestjs/common';
import { MAX_ACCESS_TOKENS, type AccessToken, type RevealedAccessToken, type TokenPurpose } from '#libs/contracts';
import {
  AccessTokenEntity,
  auditedTransaction,
  executeReturning,
  hashCredential,
  generateCredential,
  SecretBox,
} from '#libs/database';
import { DataSource, type FindOptionsWhere } from 'typeorm';
import { v7 } from 'uuid';
import type { CredentialLimits } from '../access/credential-limits.js';

/** Encryption context that binds a token to its row. */
export const tokenPurpose = (id: string): string => `access token ${id}`;

/** SQL condition for tokens that are neither revoked nor expired. */
const IS_ACTIVE = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())';

@Injectable()
export class TokensRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
  ) {}

  async list(projectId: string): Promise<AccessToken[]> {
    return (await this.read({ project_id: projectId })).map(toToken);
  }

  async reveal(projectId: string, id: string): Promise<RevealedAccessToken | null> {
    const [token] = await this.read({ project_id: projectId, id });
    if (token === undefined) return null;
    return { ...toToken(token), token: this.secrets.open(token.encrypted, tokenPurpose(id)) };
  }

  /**
   * Creates a token. Returns `full` if the project has reached `MAX_ACCESS_TOKENS`, or null if it doesn't exist.
   *
   * @param creatorId User ID, or null for a program.
   */
  async create(
    projectId: string,
    { name, expiresAt, networks, purposes }: CredentialLimits & { name: string; purposes: readonly TokenPurpose[] },
    creatorId: string | null,
  ): Promise<RevealedAccessToken | 'full' | null> {
    const token = generateCredential('agt_');
    const id = v7();
    const isFull = await auditedTransaction(this.dataSource, async (transaction) => {
      // Lock the project, so concurrent requests can't exceed the limit.
      await transaction.query(`SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE`, [projectId]);
      const [{ count }]: [{ count: number }] = await transaction.query(
        `SELECT count(*)::integer AS count FROM access_tokens WHERE project_id = $1 AND ${IS_ACTIVE}`,
        [projectId],
      );
      if (count >= MAX_ACCESS_TOKENS) return true;
      await transaction.query(
        `DELETE FROM access_tokens WHERE id IN (
           SELECT id FROM access_tokens WHERE project_id = $1 AND NOT from_environment AND NOT (${IS_ACTIVE})
           ORDER BY id DESC OFFSET $2)`,
        [projectId, MAX_ACCESS_TOKENS],
      );
      await transaction.query(
        `INSERT INTO access_tokens (id, project_id, name, hash, encrypted, hint, created_by, expires_at, allowed_networks, purposes)
         SELECT $1, id, $3, $4, $5, $6, (SELECT id FROM users WHERE id = $7), $8, $9::text[], $10::text[]
         FROM projects WHERE id = $2`,
        [
          id,
          projectId,
          name,
          hashCredential(token),
          this.secrets.seal(token, tokenPurpose(id)),
          token.slice(-4),
          creatorId,
          expiresAt,
          networks,
          purposes,
        ],
      );
      return false;
    });
    return isFull ? 'full' : this.reveal(projectId, id);
  }

  /** Revokes a token. Returns its SHA-256 hash in hex, or null if it doesn't exist. */
  async revoke(projectId: string, id: string): Promise<string | null> {
    const rows = await auditedTransaction(this.dataSource, (transaction) =>
      executeReturning<{ hash: string }>(
        transaction,
        `UPDATE access_tokens SET revoked_at = coalesce(revoked_at, now()), is_replaced = false
       WHERE project_id = $1 AND id = $2 RETURNING encode(hash, 'hex') AS hash`,
        [projectId, id],
      ),
    );
    return rows[0]?.hash ?? null;
  }

  private async read(where: FindOptionsWhere<AccessTokenEntity>): Promise<AccessTokenEntity[]> {
    return this.dataSource.manager.find(AccessTokenEntity, {
      where,
      relations: { created_by: true },
      order: { created_at: 'ASC', id: 'ASC' },
    });
  }
}

const toToken = (token: AccessTokenEntity): AccessToken => ({
  id: token.id,
  project_id: token.project_id,
  name: token.name,
  hint: token.hint,
  created_at: token.created_at.toISOString(),
  revoked_at: token.revoked_at?.toISOString() ?? null,
  last_used_at: token.last_used_at?.toISOString() ?? null,
  created_by: token.created_by?.email ?? null,
  expires_at: token.expires_at?.toISOString() ?? null,
  allowed_networks: token.allowed_networks,
  purposes: token.purposes,
});
