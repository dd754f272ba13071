import { Injectable } from '@nestjs/common';
import type { Project, ProjectChange } from '#libs/contracts';
import { DataSource } from 'typeorm';
import { v7 } from 'uuid';

/** A project without the role, which depends on who asks. */
export type StoredProject = Omit<Project, 'role'>;
type Row = Omit<StoredProject, 'created_at'> & { created_at: Date };

/** Columns of settings, named as in the interface. */
const SETTINGS = [
  'name',
  'site_address',
  'host_names',
  'time_zone',
  'trusted_proxies',
  'redacted_headers',
  'unredacted_headers',
] as const;
const COLUMNS = `id, ${SETTINGS.join(', ')}, created_at`;

@Injectable()
export class ProjectsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param ids null for all. */
  async list(ids: readonly string[] | null): Promise<StoredProject[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM projects WHERE $1::uuid[] IS NULL OR id = ANY ($1::uuid[]) ORDER BY created_at, id`,
      [ids],
    );
    return rows.map(toProject);
  }

  async find(id: string): Promise<StoredProject | null> {
    const [project] = await this.list([id]);
    return project ?? null;
  }

  /** @param ownerId the person who creates it; null for a program. */
  async create(settings: ProjectChange & { name: string }, ownerId: string | null): Promise<StoredProject> {
    const names = SETTINGS.filter((name) => settings[name] !== undefined);
    const places = names.map((_, index) => `$${index + 3}`);
    const rows: Row[] = await this.dataSource.query(
      `WITH project AS (
         INSERT INTO projects (${['id', ...names].join(', ')}) VALUES (${['$1', ...places].join(', ')}) RETURNING ${COLUMNS}
       ), owner AS (
         INSERT INTO project_members (project_id, user_id, role)
         SELECT project.id, users.id, 'owner' FROM project, users WHERE users.id = $2
       )
       SELECT * FROM project`,
      [v7(), ownerId, ...names.map((name) => settings[name])],
    );
    return toProject(rows[0]!);
  }

  async change(id: string, change: ProjectChange): Promise<StoredProject | null> {
    const names = SETTINGS.filter((name) => change[name] !== undefined);
    const [rows]: [Row[], number] = await this.dataSource.query(
      `UPDATE projects SET ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')}
       WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, ...names.map((name) => change[name])],
    );
    return rows[0] === undefined ? null : toProject(rows[0]);
  }
}

const toProject = (row: Row): StoredProject => ({ ...row, created_at: row.created_at.toISOString() });
