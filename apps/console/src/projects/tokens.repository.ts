import { Injectable } from '@nestjs/common';
import type { AccessToken, RevealedAccessToken } from '#libs/contracts';
import { AccessTokenEntity, hashCredential, newCredential, SecretBox } from '#libs/database';
import { DataSource, type FindOptionsWhere } from 'typeorm';
import { v7 } from 'uuid';
import type { CredentialLimits } from '../access/credential-limits.js';

/** Binds the ciphertext to its row. */
export const tokenPurpose = (id: string): string => `access token ${id}`;

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

  /** @param madeBy null for a program. @returns null when there is no such project. */
  async create(
    projectId: string,
    { name, expiresAt, networks }: CredentialLimits & { name: string },
    madeBy: string | null,
  ): Promise<RevealedAccessToken | null> {
    const token = newCredential('agt_');
    const id = v7();
    await this.dataSource.query(
      `INSERT INTO access_tokens (id, project_id, name, hash, encrypted, hint, created_by, expires_at, allowed_networks)
       SELECT $1, id, $3, $4, $5, $6, (SELECT id FROM users WHERE id = $7), $8, $9::text[] FROM projects WHERE id = $2`,
      [
        id,
        projectId,
        name,
        hashCredential(token),
        this.secrets.seal(token, tokenPurpose(id)),
        token.slice(-4),
        madeBy,
        expiresAt,
        networks,
      ],
    );
    return this.reveal(projectId, id);
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
});
