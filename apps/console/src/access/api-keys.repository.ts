import { Injectable } from '@nestjs/common';
import {
  API_KEY_SCOPES,
  MAX_API_KEYS,
  MAX_PERSONAL_API_KEYS,
  type ApiKey,
  type ApiKeyScope,
  type ProjectRole,
} from '#libs/contracts';
import { ApiKeyEntity, auditedTransaction, executeReturning, hashCredential, generateCredential } from '#libs/database';
import { ProblemError } from '#libs/platform';
import { DataSource, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { v7 } from 'uuid';
import type { Principal, SessionUser } from './principal.js';
import { isAdministrator, requireOpenSession, permissionLost } from './permissions.repository.js';

interface KeyRow {
  hash: string;
  id: string;
  admin: boolean;
  scopes: ApiKeyScope[];
  project_ids: string[];
  created_by: string | null;
  expires_at: Date | null;
  /** The key's role in each of the `project_ids`, in the same order. Null if the key is an owner of all of them. */
  roles: ProjectRole[] | null;
}

export interface ApiKeySettings {
  name: string;
  scopes: readonly ApiKeyScope[];
  /** Null for all projects. */
  projectIds: string[] | null;
  expiresAt: Date | null;
}

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns principals by key hash. Unknown and revoked keys are omitted.
   *
   * @param hashes SHA-256 of the keys, in hex.
   */
  async find(hashes: string[]): Promise<Map<string, Principal>> {
    const rows: KeyRow[] = await this.dataSource.query(
      `SELECT encode(k.hash, 'hex') AS hash, k.id, k.created_by, k.scopes, k.expires_at,
         CASE WHEN u.id IS NULL THEN k.admin ELSE u.is_admin AND k.project_ids = '{}' END AS admin,
         CASE WHEN u.id IS NULL OR u.is_admin THEN k.project_ids ELSE m.project_ids END AS project_ids,
         CASE WHEN NOT u.is_admin THEN m.roles END AS roles
       FROM api_keys k LEFT JOIN users u ON u.id = k.acts_as
         LEFT JOIN LATERAL (
           SELECT coalesce(array_agg(project_id), '{}') AS project_ids, coalesce(array_agg(role), '{}') AS roles
           FROM project_members
           WHERE user_id = u.id AND (k.project_ids = '{}' OR project_id = ANY (k.project_ids))
         ) m ON u.id IS NOT NULL
       WHERE k.revoked_at IS NULL AND k.hash = ANY (SELECT decode(h, 'hex') FROM unnest($1::text[]) h)`,
      [hashes],
    );
    return new Map(rows.map((row) => [row.hash, toPrincipal(row)]));
  }

  /**
   * Lists API keys, including revoked ones.
   *
   * @param userId Owner of the personal keys to list, or null for all keys.
   */
  async list(userId: string | null = null): Promise<ApiKey[]> {
    return listKeys(this.dataSource.manager, userId === null ? {} : { acts_as: { id: userId } });
  }

  /**
   * Creates a personal key. Its permissions never exceed those of its owner.
   *
   * @returns Null if the user has reached the maximum number of personal API keys.
   * @throws {ProblemError} 401 if the session has ended, or 422 if the user can't access one of the projects.
   */
  async createOwn(settings: ApiKeySettings, user: SessionUser): Promise<(ApiKey & { key: string }) | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      // This also locks the user, so concurrent requests can't exceed the limit.
      await requireOpenSession(transaction, user);
      const [{ own }]: [{ own: number }] = await transaction.query(
        `SELECT count(*)::int AS own FROM api_keys
         WHERE acts_as = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
        [user.id],
      );
      return own >= MAX_PERSONAL_API_KEYS ? null : insert(transaction, settings, { madeBy: user.id, actsAs: user.id });
    });
  }

  /** Revokes a personal key. Returns false if the user has no such key. */
  async revokeOwn(id: string, userId: string): Promise<boolean> {
    const { affected } = await auditedTransaction(this.dataSource, (transaction) =>
      transaction.update(
        ApiKeyEntity,
        { id, acts_as: { id: userId } },
        { revoked_at: () => 'coalesce(revoked_at, now())' },
      ),
    );
    return affected !== 0;
  }

  /**
   * Creates a key for a program.
   *
   * @param creatorId ID of the administrator, or null if a program creates the key.
   * @returns Null if the instance has reached `MAX_API_KEYS`.
   * @throws {ProblemError} 403 if the creator is no longer an administrator, or 422 if one of the projects doesn't
   * exist.
   */
  async create(settings: ApiKeySettings, creatorId: string | null): Promise<(ApiKey & { key: string }) | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      if (!(await isAdministrator(transaction, creatorId))) throw permissionLost();
      const [{ keys }]: [{ keys: number }] = await transaction.query(
        `SELECT count(*)::int AS keys FROM api_keys
         WHERE acts_as IS NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
      );
      if (keys >= MAX_API_KEYS) return null;
      return insert(transaction, settings, { madeBy: creatorId, actsAs: null });
    });
  }

  /** Revokes a key, unless it is the last admin key. Admin keys with an expiry don't count. */
  async revoke(id: string): Promise<'revoked' | 'unknown' | 'last'> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const admins: { id: string }[] = await transaction.query(
        `SELECT id FROM api_keys WHERE admin AND scopes @> $1 AND revoked_at IS NULL AND expires_at IS NULL
         ORDER BY id FOR UPDATE`,
        [API_KEY_SCOPES],
      );
      if (admins.length === 1 && admins[0]!.id === id) return 'last';
      const rows = await executeReturning<unknown>(
        transaction,
        `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()), is_replaced = false WHERE id = $1 RETURNING id`,
        [id],
      );
      return rows.length === 0 ? 'unknown' : 'revoked';
    });
  }
}

async function insert(
  transaction: EntityManager,
  { name, scopes, projectIds, expiresAt }: ApiKeySettings,
  { madeBy: creatorId, actsAs }: { madeBy: string | null; actsAs: string | null },
): Promise<ApiKey & { key: string }> {
  const accessibleProjects: unknown[] = await transaction.query(
    `SELECT FROM projects p WHERE p.id = ANY ($1::uuid[])
       AND ($2::uuid IS NULL OR EXISTS (SELECT FROM users WHERE id = $2 AND is_admin)
         OR EXISTS (SELECT FROM project_members WHERE user_id = $2 AND project_id = p.id))
     FOR KEY SHARE`,
    [projectIds, actsAs],
  );
  if (accessibleProjects.length !== (projectIds?.length ?? 0)) throw unknownProjects();
  const key = generateCredential('agk_');
  const created = {
    id: v7(),
    name,
    hash: hashCredential(key),
    admin: actsAs === null && projectIds === null,
    project_ids: projectIds ?? [],
    scopes: [...scopes],
    created_by: creatorId === null ? null : { id: creatorId },
    acts_as: actsAs === null ? null : { id: actsAs },
    expires_at: expiresAt,
  };
  await transaction.insert(ApiKeyEntity, created);
  return { ...(await listKeys(transaction, { id: created.id }))[0]!, key };
}

const unknownProjects = (): ProblemError =>
  new ProblemError('invalid-body', 'One of the projects does not exist, or you do not have access to it.', {
    errors: [{ pointer: '/project_ids', detail: 'must contain only IDs of projects that you have access to' }],
  });

const toPrincipal = (row: KeyRow): Principal => ({
  keyId: row.id,
  expiresAt: row.expires_at?.getTime() ?? null,
  makerId: row.created_by,
  user: null,
  scopes: row.scopes,
  admin: row.admin,
  projectIds: row.project_ids,
  roles: new Map(row.project_ids.map((projectId, index) => [projectId, row.roles?.[index] ?? 'owner'])),
});

async function listKeys(manager: EntityManager, where: FindOptionsWhere<ApiKeyEntity>): Promise<ApiKey[]> {
  const keys = await manager.find(ApiKeyEntity, {
    where,
    relations: { created_by: true, acts_as: true },
    order: { created_at: 'ASC', id: 'ASC' },
  });
  return keys.map((key) => ({
    id: key.id,
    name: key.name,
    scopes: key.scopes,
    project_ids: key.admin || (key.acts_as !== null && key.project_ids.length === 0) ? null : key.project_ids,
    acts_as: key.acts_as?.email ?? null,
    created_at: key.created_at.toISOString(),
    created_by: key.created_by?.email ?? null,
    revoked_at: key.revoked_at?.toISOString() ?? null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
    expires_at: key.expires_at?.toISOString() ?? null,
  }));
}
