import { Injectable } from '@nestjs/common';
import type { SiteSettings } from '#libs/catalog';
import { getSiteHosts, type TrustedProxies, type UnknownVisitors } from '#libs/contracts';
import { DataSource } from 'typeorm';

export interface ProjectSettings extends SiteSettings {
  unknownVisitors: UnknownVisitors;
  /** Lowercase host names of the site. Visits without a host are attributed to the first one. */
  siteHosts: string[];
  /** Opaque value that changes with each robots.txt version, or null if there are no versions. */
  robotsRevision: string | null;
}

interface Row {
  id: string;
  trusted_proxies: TrustedProxies;
  host_names: string[];
  site_address: string | null;
  unknown_visitors: UnknownVisitors;
  robots_revision: string | null;
}

@Injectable()
export class ProjectSettingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns settings by project ID. The result omits unknown projects. */
  async find(projectIds: string[]): Promise<Map<string, ProjectSettings>> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT id, trusted_proxies, host_names, site_address, unknown_visitors, r.revision AS robots_revision
       FROM projects LEFT JOIN robots_revisions r ON r.project_id = id WHERE id = ANY ($1::uuid[])`,
      [projectIds],
    );
    return new Map(
      rows.map((row) => [
        row.id,
        {
          trustedProxies: row.trusted_proxies,
          hostNames: row.host_names,
          unknownVisitors: row.unknown_visitors,
          siteHosts: getSiteHosts(row),
          robotsRevision: row.robots_revision,
        },
      ]),
    );
  }
}
