import { Injectable } from '@nestjs/common';
import type { ApiKey } from '#libs/contracts';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';
import { hashCredential, newCredential } from '#libs/database';
import type { Principal } from './principal.js';
import { isAdministrator, rightLost } from './rights.repository.js';

interface KeyRow {
  hash: string;
  id: string;
  admin: boolean;
  project_ids: string[];
  created_by: string | null;
}

interface Row {
  id: string;
  name: string;
  admin: boolean;
  project_ids: string[];
  created_at: Date;
  created_by: string | null;
  revoked_at: Date | null;
}

const COLUMNS = `id, name, admin, project_ids, created_at, revoked_at,
  (SELECT email FROM users WHERE users.id = api_keys.created_by) AS created_by`;

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param hashes SHA-256 of keys, hex. Revoked keys are not found. */
  async find(hashes: string[]): Promise<Map<string, Principal>> {
    const rows: KeyRow[] = await this.dataSource.query(
      `SELECT encode(hash, 'hex') AS hash, id, admin, project_ids, created_by FROM api_keys
       WHERE revoked_at IS NULL AND hash = ANY (SELECT decode(h, 'hex') FROM unnest($1::text[]) h)`,
      [hashes],
    );
    return new Map(rows.map((row) => [row.hash, toPrincipal(row)]));
  }

  async list(): Promise<ApiKey[]> {
    const rows: Row[] = await this.dataSource.query(`SELECT ${COLUMNS} FROM api_keys ORDER BY created_at, id`);
    return rows.map(toApiKey);
  }

  /**
   * @param projectIds null for an admin key.
   * @param madeBy an administrator; null for a program.
   * @returns null when one of the projects does not exist.
   * @throws ProblemError 403 when they are no longer an administrator.
   */
  async create(
    name: string,
    projectIds: string[] | null,
    madeBy: string | null,
  ): Promise<(ApiKey & { key: string }) | null> {
    const key = newCredential('agk_');
    return this.dataSource.transaction(async (transaction) => {
      if (!(await isAdministrator(transaction, madeBy))) throw rightLost();
      const rows: Row[] = await transaction.query(
        `INSERT INTO api_keys (id, name, hash, admin, project_ids, created_by)
         SELECT $1, $2, $3, $4, $5::uuid[], $6
         WHERE NOT EXISTS (SELECT FROM unnest($5::uuid[]) p WHERE p NOT IN (SELECT id FROM projects))
         RETURNING ${COLUMNS}`,
        [v7(), name, hashCredential(key), projectIds === null, [...new Set(projectIds)], madeBy],
      );
      return rows[0] === undefined ? null : { ...toApiKey(rows[0]), key };
    });
  }

  /** @returns the outcome. The last admin key cannot be revoked. */
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

const toPrincipal = ({ id, admin, project_ids, created_by }: KeyRow): Principal => ({
  keyId: id,
  makerId: created_by,
  user: null,
  admin,
  projectIds: project_ids,
  roles: new Map(project_ids.map((projectId) => [projectId, 'owner'])),
});

const toApiKey = (row: Row): ApiKey => ({
  ...row,
  created_at: row.created_at.toISOString(),
  revoked_at: row.revoked_at?.toISOString() ?? null,
});
