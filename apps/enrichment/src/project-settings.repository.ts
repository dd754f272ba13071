import { Injectable } from '@nestjs/common';
import type { SiteSettings } from '#libs/catalog';
import type { TrustedProxies } from '#libs/contracts';
import { DataSource } from 'typeorm';

@Injectable()
export class ProjectSettingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** What enrichment needs to know of projects, by their ids. */
  async find(projectIds: string[]): Promise<Map<string, SiteSettings>> {
    const rows: { id: string; trusted_proxies: TrustedProxies; host_names: string[] }[] = await this.dataSource.query(
      `SELECT id, trusted_proxies, host_names FROM projects WHERE id = ANY ($1::uuid[])`,
      [projectIds],
    );
    return new Map(rows.map((row) => [row.id, { trustedProxies: row.trusted_proxies, hostNames: row.host_names }]));
  }
}
