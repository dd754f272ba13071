import { Injectable } from '@nestjs/common';
import type { Project, ProjectChange } from '#libs/contracts';
import { ProjectEntity } from '#libs/database';
import { DataSource, In } from 'typeorm';
import { v7 } from 'uuid';

/** A project without the role, which depends on who asks. */
export type StoredProject = Omit<Project, 'role'>;

@Injectable()
export class ProjectsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param ids null for all. */
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

  /** @param ownerId the person who creates it; null for a program. */
  async create(settings: ProjectChange & { name: string }, ownerId: string | null): Promise<StoredProject> {
    const id = v7();
    return this.dataSource.transaction(async (transaction) => {
      await transaction.insert(ProjectEntity, { id, ...settings });
      await transaction.query(
        `INSERT INTO project_members (project_id, user_id, role) SELECT $1, id, 'owner' FROM users WHERE id = $2`,
        [id, ownerId],
      );
      return toProject(await transaction.findOneByOrFail(ProjectEntity, { id }));
    });
  }

  async change(id: string, change: ProjectChange): Promise<StoredProject | null> {
    const { raw } = await this.dataSource.manager.update(ProjectEntity, id, change, { returning: '*' });
    return raw[0] === undefined ? null : toProject(raw[0]);
  }
}

const toProject = ({ created_at: createdAt, ...project }: ProjectEntity): StoredProject =>
  ({ ...project, created_at: createdAt.toISOString() }) as StoredProject;
