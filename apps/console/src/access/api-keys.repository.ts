import { Injectable } from '@nestjs/common';
import type { ApiKey, ProjectRole } from '#libs/contracts';
import { ApiKeyEntity, hashCredential, newCredential } from '#libs/database';
import { DataSource, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { v7 } from 'uuid';
import type { Principal, SessionUser } from './principal.js';
import { isAdministrator, requireOpenSession, rightLost } from './rights.repository.js';

interface KeyRow {
  hash: string;
  id: string;
  admin: boolean;
  is_read_only: boolean;
  project_ids: string[];
  created_by: string | null;
  expires_at: Date | null;
  /** Of a person's own key: their roles in `project_ids`; null for other keys. */
  roles: ProjectRole[] | null;
}

interface NewKey {
  name: string;
  isReadOnly: boolean;
  expiresAt: Date | null;
}

/** Own keys of a person that work, at most. */
export const MAX_OWN_KEYS = 50;

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param hashes SHA-256 of keys, hex. Revoked keys are not found. */
  async find(hashes: string[]): Promise<Map<string, Principal>> {
    const rows: KeyRow[] = await this.dataSource.query(
      `SELECT encode(k.hash, 'hex') AS hash, k.id, k.created_by, k.is_read_only, k.expires_at,
         CASE WHEN u.id IS NULL THEN k.admin ELSE u.is_admin END AS admin,
         CASE WHEN u.id IS NULL THEN k.project_ids ELSE m.project_ids END AS project_ids, m.roles
       FROM api_keys k LEFT JOIN users u ON u.id = k.acts_as
         LEFT JOIN LATERAL (
           SELECT coalesce(array_agg(project_id), '{}') AS project_ids, coalesce(array_agg(role), '{}') AS roles
           FROM project_members WHERE user_id = u.id
         ) m ON u.id IS NOT NULL
       WHERE k.revoked_at IS NULL AND k.hash = ANY (SELECT decode(h, 'hex') FROM unnest($1::text[]) h)`,
      [hashes],
    );
    return new Map(rows.map((row) => [row.hash, toPrincipal(row)]));
  }

  /** @param userId whose own keys; null for the keys of everybody. */
  async list(userId: string | null = null): Promise<ApiKey[]> {
    return read(this.dataSource.manager, userId === null ? {} : { acts_as: { id: userId } });
  }

  /** Creates a key that may do what its person may. @returns null when they have as many as they can have. */
  async createOwn(
    { name, isReadOnly, expiresAt }: NewKey,
    user: SessionUser,
  ): Promise<(ApiKey & { key: string }) | null> {
    const key = newCredential('agk_');
    return this.dataSource.transaction(async (transaction) => {
      // One at a time, so that they are counted.
      await requireOpenSession(transaction, user);
      const id = v7();
      await transaction.query(
        `INSERT INTO api_keys (id, name, hash, admin, acts_as, created_by, is_read_only, expires_at)
         SELECT $1, $2, $3, false, u.id, u.id, $6, $7 FROM users u WHERE u.id = $4
           AND (SELECT count(*) FROM api_keys WHERE acts_as = u.id AND revoked_at IS NULL
             AND (expires_at IS NULL OR expires_at > now())) < $5`,
        [id, name, hashCredential(key), user.id, MAX_OWN_KEYS, isReadOnly, expiresAt],
      );
      const [created] = await read(transaction, { id });
      return created === undefined ? null : { ...created, key };
    });
  }

  /** @returns whether the person has such a key. */
  async revokeOwn(id: string, userId: string): Promise<boolean> {
    const { affected } = await this.dataSource.manager.update(
      ApiKeyEntity,
      { id, acts_as: { id: userId } },
      { revoked_at: () => 'coalesce(revoked_at, now())' },
    );
    return affected !== 0;
  }

  /**
   * @param projectIds null for an admin key.
   * @param madeBy an administrator; null for a program.
   * @returns null when one of the projects does not exist.
   * @throws ProblemError 403 when they are no longer an administrator.
   */
  async create(
    { name, isReadOnly, expiresAt }: NewKey,
    projectIds: string[] | null,
    madeBy: string | null,
  ): Promise<(ApiKey & { key: string }) | null> {
    const key = newCredential('agk_');
    return this.dataSource.transaction(async (transaction) => {
      if (!(await isAdministrator(transaction, madeBy))) throw rightLost();
      const id = v7();
      await transaction.query(
        `INSERT INTO api_keys (id, name, hash, admin, project_ids, created_by, is_read_only, expires_at)
         SELECT $1, $2, $3, $4, $5::uuid[], $6, $7, $8
         WHERE NOT EXISTS (SELECT FROM unnest($5::uuid[]) p WHERE p NOT IN (SELECT id FROM projects))`,
        [id, name, hashCredential(key), projectIds === null, [...new Set(projectIds)], madeBy, isReadOnly, expiresAt],
      );
      const [created] = await read(transaction, { id });
      return created === undefined ? null : { ...created, key };
    });
  }

  /** @returns the outcome. The last admin key cannot be revoked; those that expire don't count, as they go by themselves. */
  async revoke(id: string): Promise<'revoked' | 'unknown' | 'last'> {
    return this.dataSource.transaction(async (transaction) => {
      const admins: { id: string }[] = await transaction.query(
        `SELECT id FROM api_keys WHERE admin AND NOT is_read_only AND revoked_at IS NULL AND expires_at IS NULL
         ORDER BY id FOR UPDATE`,
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

const toPrincipal = ({ id, admin, is_read_only, project_ids, created_by, expires_at, roles }: KeyRow): Principal => ({
  keyId: id,
  expiresAt: expires_at?.getTime() ?? null,
  makerId: created_by,
  user: null,
  isReadOnly: is_read_only,
  admin,
  projectIds: project_ids,
  roles: new Map(project_ids.map((projectId, index) => [projectId, roles?.[index] ?? 'owner'])),
});

async function read(manager: EntityManager, where: FindOptionsWhere<ApiKeyEntity>): Promise<ApiKey[]> {
  const keys = await manager.find(ApiKeyEntity, {
    where,
    relations: { created_by: true, acts_as: true },
    order: { created_at: 'ASC', id: 'ASC' },
  });
  return keys.map((key) => ({
    id: key.id,
    name: key.name,
    admin: key.admin,
    is_read_only: key.is_read_only,
    project_ids: key.project_ids,
    acts_as: key.acts_as?.email ?? null,
    created_at: key.created_at.toISOString(),
    created_by: key.created_by?.email ?? null,
    revoked_at: key.revoked_at?.toISOString() ?? null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
    expires_at: key.expires_at?.toISOString() ?? null,
  }));
}
