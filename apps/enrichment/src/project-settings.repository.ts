import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { TrustedProxies } from '#libs/contracts';

/** What enrichment needs to know of a project. */
export interface ProjectSettings {
  trustedProxies: TrustedProxies;
}

@Injectable()
export class ProjectSettingsRepository {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  async find(projectIds: string[]): Promise<Map<string, ProjectSettings>> {
    const rows: { id: string; trusted_proxies: TrustedProxies }[] = await this.dataSource.query(
      `SELECT id, trusted_proxies FROM projects WHERE id = ANY ($1::uuid[])`,
      [projectIds],
    );
    return new Map(rows.map((row) => [row.id, { trustedProxies: row.trusted_proxies }]));
  }
}
