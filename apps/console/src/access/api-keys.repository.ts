import { Inject, Injectable } from '@nestjs/common';
import type { ApiKey } from '#libs/contracts';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';
import { hashCredential, newCredential } from '#libs/database';
import type { Principal } from './principal.js';

interface Row {
  id: string;
  name: string;
  admin: boolean;
  project_ids: string[];
  created_at: Date;
  revoked_at: Date | null;
}

const COLUMNS = 'id, name, admin, project_ids, created_at, revoked_at';

@Injectable()
export class ApiKeysRepository {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** @param hashes SHA-256 of keys, hex; revoked ones are not found. */
  async find(hashes: string[]): Promise<Map<string, Principal>> {
    const rows: { hash: string; id: string; admin: boolean; project_ids: string[] }[] = await this.dataSource.query(
      `SELECT encode(hash, 'hex') AS hash, id, admin, project_ids FROM api_keys
       WHERE revoked_at IS NULL AND hash = ANY (SELECT decode(h, 'hex') FROM unnest($1::text[]) h)`,
      [hashes],
    );
    return new Map(rows.map(({ hash, id, admin, project_ids }) => [hash, toPrincipal(id, admin, project_ids)]));
  }

  async list(): Promise<ApiKey[]> {
    const rows: Row[] = await this.dataSource.query(`SELECT ${COLUMNS} FROM api_keys ORDER BY created_at, id`);
    return rows.map(toApiKey);
  }

  /** @param projectIds null for an admin key. @returns null when one of the projects does not exist. */
  async create(name: string, projectIds: string[] | null): Promise<(ApiKey & { key: string }) | null> {
    const key = newCredential('agk_');
    const rows: Row[] = await this.dataSource.query(
      `INSERT INTO api_keys (id, name, hash, admin, project_ids)
       SELECT $1, $2, $3, $4, $5::uuid[]
       WHERE NOT EXISTS (SELECT FROM unnest($5::uuid[]) p WHERE p NOT IN (SELECT id FROM projects))
       RETURNING ${COLUMNS}`,
      [v7(), name, hashCredential(key), projectIds === null, [...new Set(projectIds)]],
    );
    return rows[0] === undefined ? null : { ...toApiKey(rows[0]), key };
  }

  /** @returns what became of it; the last admin key stays. */
  async revoke(id: string): Promise<'revoked' | 'unknown' | 'last'> {
    return this.dataSource.transaction(async (transaction) => {
      const admins: { id: string }[] = await transaction.query(
        `SELECT id FROM api_keys WHERE admin AND revoked_at IS NULL ORDER BY id FOR UPDATE`,
      );
      if (admins.length === 1 && admins[0]!.id === id) return 'last';
      const [rows]: [unknown[], number] = await transaction.query(
        `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()), is_replaced = false WHERE id = $1 RETURNING id`,
        [id],
      );
      return rows.length === 0 ? 'unknown' : 'revoked';
    });
  }
}

const toPrincipal = (keyId: string, admin: boolean, projectIds: string[]): Principal => ({
  keyId,
  user: null,
  admin,
  projectIds,
  roles: new Map(projectIds.map((projectId) => [projectId, 'owner'])),
});

const toApiKey = (row: Row): ApiKey => ({
  ...row,
  created_at: row.created_at.toISOString(),
  revoked_at: row.revoked_at?.toISOString() ?? null,
});
