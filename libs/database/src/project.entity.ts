import { TOKEN_PURPOSES, type TokenPurpose } from '#libs/contracts';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { UserEntity } from './user.entity.js';

/** A website whose visits are recorded. */
@Entity('projects')
export class ProjectEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('text') name: string;
  @Column('text', { nullable: true }) site_address: string | null;
  /** The website's host names. If empty, signatures for any authority are accepted. */
  @Column('text', { array: true, default: [] }) host_names: string[];
  /** IANA time zone name. */
  @Column('text', { default: 'UTC' }) time_zone: string;
  /** JSON value of type `TrustedProxies`. */
  @Column('jsonb', { default: {} }) trusted_proxies: object;
  @Column('text', { array: true, default: [] }) redacted_headers: string[];
  @Column('text', { array: true, default: [] }) unredacted_headers: string[];
  /** One of the `UnknownVisitors` values. */
  @Column('text', { default: 'kept' }) unknown_visitors: string;
  /** Price of 10^9 bytes sent, in `currency`. */
  @Column('double precision', { nullable: true }) price_per_gb: number | null;
  /** Price of an hour of server time, in `currency`. */
  @Column('double precision', { nullable: true }) price_per_server_hour: number | null;
  /** ISO 4217 code. */
  @Column('text', { default: 'USD' }) currency: string;
  /** JSON value of type `Project['path_patterns']`. */
  @Column('jsonb', { default: [] }) path_patterns: object[];
  /** Hosts that sell access to the site. */
  @Column('text', { array: true, default: [] }) toll_hosts: string[];
  /** JSON value of type `Project['list_prices']`. */
  @Column('jsonb', { default: [] }) list_prices: object[];
  /** True if the project contains sample data. At most one project does. */
  @Column('boolean', { default: false }) is_demo: boolean;
  @Column('timestamptz', { default: () => 'now()' }) created_at: Date;
}

/** A credential for reporting visits to one project. */
@Entity('access_tokens')
export class AccessTokenEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') project_id: string;
  @Column('text') name: string;
  /** SHA-256 of the token, used for lookups. */
  @Column('bytea', { select: false }) hash: Buffer;
  /** Token encrypted by `SecretBox`. */
  @Column('bytea') encrypted: Buffer;
  /** Last four characters of the token. */
  @Column('text') hint: string;
  @Column('boolean', { default: false }) from_environment: boolean;
  /** True if the token was revoked because its environment variable changed. */
  @Column('boolean', { default: false }) is_replaced: boolean;
  @Column('timestamptz', { default: () => 'now()' }) created_at: Date;
  @ManyToOne(() => UserEntity, { nullable: true })
  @JoinColumn({ name: 'created_by' })
  created_by: Relation<UserEntity> | null;
  @Column('timestamptz', { nullable: true }) revoked_at: Date | null;
  @Column('timestamptz', { nullable: true }) expires_at: Date | null;
  /** CIDR blocks from which the token can be used. If empty, any address is accepted. */
  @Column('text', { array: true, default: [] }) allowed_networks: string[];
  @Column('text', { array: true, default: [...TOKEN_PURPOSES] }) purposes: TokenPurpose[];
  /** Time of last use, accurate to the minute. */
  @Column('timestamptz', { nullable: true }) last_used_at: Date | null;
}

@Entity('project_members')
export class MemberEntity {
  @PrimaryColumn('uuid') project_id: string;
  @PrimaryColumn('uuid') user_id: string;
  @Column('text') role: 'owner' | 'member' | 'viewer';
  @Column('timestamptz', { default: () => 'now()' }) created_at: Date;
}

@Entity('project_invitations')
export class InvitationEntity {
  @PrimaryColumn('uuid') id: string;
  @ManyToOne(() => ProjectEntity, { nullable: false })
  @JoinColumn({ name: 'project_id' })
  project: Relation<ProjectEntity>;
  @Column('text') role: 'owner' | 'member' | 'viewer';
  /** SHA-256 of the token in the invitation link, which isn't stored in plain text. */
  @Column('bytea', { select: false }) hash: Buffer;
  @ManyToOne(() => UserEntity, { nullable: true })
  @JoinColumn({ name: 'created_by' })
  created_by: Relation<UserEntity> | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at: Date;
  @Column('timestamptz') expires_at: Date;
}
