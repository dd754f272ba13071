import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A site whose visits are recorded. */
@Entity('projects')
export class ProjectEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text', { name: 'site_address', nullable: true })
  siteAddress: string | null;

  /** The site's host names; empty accepts a signature for any authority. */
  @Column('text', { name: 'host_names', array: true, default: [] })
  hostNames: string[];

  /** IANA time zone. */
  @Column('text', { name: 'time_zone', default: 'UTC' })
  timeZone: string;

  /** As `TrustedProxies` of the contracts. */
  @Column('jsonb', { name: 'trusted_proxies', default: {} })
  trustedProxies: object;

  @Column('text', { name: 'redacted_headers', array: true, default: [] })
  redactedHeaders: string[];

  @Column('text', { name: 'unredacted_headers', array: true, default: [] })
  unredactedHeaders: string[];

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
