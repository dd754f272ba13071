import { Injectable } from '@nestjs/common';
import type { SiteSettings } from '#libs/catalog';
import type { TrustedProxies, UnknownVisitors } from '#libs/contracts';
import { DataSource } from 'typeorm';

/** What enrichment needs to know of a project. */
export interface ProjectSettings extends SiteSettings {
  unknownVisitors: UnknownVisitors;
}

interface Row {
  id: string;
  trusted_proxies: TrustedProxies;
  host_names: string[];
  unknown_visitors: UnknownVisitors;
}

@Injectable()
export class ProjectSettingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** By the projects' ids. */
  async find(projectIds: string[]): Promise<Map<string, ProjectSettings>> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT id, trusted_proxies, host_names, unknown_visitors FROM projects WHERE id = ANY ($1::uuid[])`,
      [projectIds],
    );
    return new Map(
      rows.map((row) => [
        row.id,
        { trustedProxies: row.trusted_proxies, hostNames: row.host_names, unknownVisitors: row.unknown_visitors },
      ]),
    );
  }
}
