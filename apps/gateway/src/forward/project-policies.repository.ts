import { Injectable } from '@nestjs/common';
import type { PolicyRule } from '#libs/contracts';
import { DataSource } from 'typeorm';

export interface PolicyVersion {
  project_id: string;
  id: string;
  /** Null if the version was already known. */
  rules: PolicyRule[] | null;
}

@Injectable()
export class ProjectPoliciesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the newest policy version of each project that has one.
   *
   * @param knownIds IDs of versions whose rules aren't needed.
   */
  async findNewest(projectIds: readonly string[], knownIds: readonly string[]): Promise<PolicyVersion[]> {
    return this.dataSource.query(
      `SELECT DISTINCT ON (project_id) project_id, id, CASE WHEN id <> ALL ($2::uuid[]) THEN rules END AS rules
       FROM policy_versions WHERE project_id = ANY ($1::uuid[])
       ORDER BY project_id, saved_at DESC, id DESC`,
      [projectIds, knownIds],
    );
  }
}
