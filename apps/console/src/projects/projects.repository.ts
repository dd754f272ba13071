import { Injectable } from '@nestjs/common';
import type { Project, ProjectChange } from '#libs/contracts';
import { auditedTransaction, executeAndCount, ProjectEntity } from '#libs/database';
import { notFound, isUniqueViolation } from '#libs/platform';
import { RemovedProjectsRepository } from '#libs/visit-store';
import { DataSource, In, type EntityManager } from 'typeorm';
import { v7 } from 'uuid';
import { addDefaultAlerts } from '../alerts/alerts.repository.js';

/** Project without the role, which depends on the caller. */
export type StoredProject = Omit<Project, 'role'>;

type NewProjectSettings = ProjectChange & { name: string; is_demo?: true };

@Injectable()
export class ProjectsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly removed: RemovedProjectsRepository,
  ) {}

  /**
   * Lists projects, oldest first.
   *
   * @param ids Project IDs, or null for all projects.
   */
  async list(ids: readonly string[] | null): Promise<StoredProject[]> {
    const projects = await this.dataSource.manager.find(ProjectEntity, {
      where: ids === null ? {} : { id: In(ids) },
      order: { created_at: 'ASC', id: 'ASC' },
    });
    return projects.map(toProject);
  }

  async find(id: string): Promise<StoredProject | null> {
    const project = await this.dataSource.manager.findOneBy(ProjectEntity, { id });
    return project && toProject(project);
  }

  /** @throws {ProblemError} 404 if the project doesn't exist. */
  async require(id: string): Promise<StoredProject> {
    const project = await this.find(id);
    if (project === null) throw notFound('project');
    return project;
  }

  /**
   * Creates a project with default alerts.
   *
   * @param ownerId User who becomes the owner: the caller, or the creator of the API key. Null if unknown.
   */
  async create(settings: NewProjectSettings, ownerId: string | null): Promise<StoredProject> {
    return auditedTransaction(this.dataSource, (transaction) => this.insert(transaction, settings, ownerId));
  }

  /**
   * Creates the demo project. Its load is recorded in the same transaction, so it counts as failed if the process
   * crashes before any visits are loaded.
   *
   * @returns Null if a demo project already exists.
   */
  async createDemo(
    settings: NewProjectSettings,
    ownerId: string | null,
    { seed, isLive }: { seed: number; isLive: boolean },
  ): Promise<StoredProject | null> {
    try {
      return await auditedTransaction(this.dataSource, async (transaction) => {
        const project = await this.insert(transaction, { ...settings, is_demo: true }, ownerId);
        await transaction.query(`INSERT INTO demo_loads (project_id, seed, is_live) VALUES ($1, $2, $3)`, [
          project.id,
          seed,
          isLive,
        ]);
        return project;
      });
    } catch (error) {
      if (isUniqueViolation(error)) return null;
      throw error;
    }
  }

  /**
   * Changes a project.
   *
   * @param check Receives the current project, and throws if it must not be changed.
   * @returns Null if the project doesn't exist.
   */
  async change(
    id: string,
    change: ProjectChange,
    check: (project: StoredProject) => void,
  ): Promise<StoredProject | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const lock = { mode: 'for_no_key_update' } as const;
      const project = await transaction.findOne(ProjectEntity, { where: { id }, lock });
      if (project === null) return null;
      check(toProject(project));
      await transaction.update(ProjectEntity, id, change);
      return toProject(await transaction.findOneByOrFail(ProjectEntity, { id }));
    });
  }

  /**
   * Removes a project with its settings and tokens. Ingest deletes its visits later.
   *
   * @returns SHA-256 hashes of its tokens in hex, or null if the project doesn't exist.
   */
  async remove(id: string): Promise<string[] | null> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      const tokens: { hash: string }[] = await transaction.query(
        `SELECT encode(hash, 'hex') AS hash FROM access_tokens WHERE project_id = $1`,
        [id],
      );
      const removed = await executeAndCount(transaction, `DELETE FROM projects WHERE id = $1`, [id]);
      if (removed === 0) return null;
      await this.removed.add(transaction, id);
      await transaction.query(
        `UPDATE api_keys SET project_ids = array_remove(project_ids, $1::uuid)
         WHERE $1::uuid = ANY (project_ids) AND project_ids <> ARRAY[$1::uuid]`,
        [id],
      );
      // Revoke keys that are limited to this project instead of removing the project from their list. With an empty
      // list, a personal key would have access to all of its user's projects.
      await transaction.query(
        `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE project_ids = ARRAY[$1::uuid]`,
        [id],
      );
      return tokens.map(({ hash }) => hash);
    });
  }

  private async insert(transaction: EntityManager, settings: NewProjectSettings, ownerId: string | null) {
    const id = v7();
    await transaction.insert(ProjectEntity, { id, ...settings });
    await addDefaultAlerts(transaction, id);
    await transaction.query(
      `INSERT INTO project_members (project_id, user_id, role) SELECT $1, id, 'owner' FROM users WHERE id = $2`,
      [id, ownerId],
    );
    return toProject(await transaction.findOneByOrFail(ProjectEntity, { id }));
  }
}

const toProject = ({ created_at: createdAt, ...project }: ProjectEntity): StoredProject =>
  ({ ...project, created_at: createdAt.toISOString() }) as StoredProject;
