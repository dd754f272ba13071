import { TOKEN_PURPOSES, type TokenPurpose } from '#libs/contracts';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { UserEntity } from './user.entity.js';

/** A site whose visits are recorded. */
@Entity('projects')
export class ProjectEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('text') name: string;
  @Column('text', { nullable: true }) site_address: string | null;
  /** The site's host names. When empty, a signature may be for any authority. */
  @Column('text', { array: true, default: [] }) host_names: string[];
  /** IANA time zone. */
  @Column('text', { default: 'UTC' }) time_zone: string;
  /** As `TrustedProxies` of the contracts. */
  @Column('jsonb', { default: {} }) trusted_proxies: object;
  @Column('text', { array: true, default: [] }) redacted_headers: string[];
  @Column('text', { array: true, default: [] }) unredacted_headers: string[];
  /** As `UnknownVisitors` of the contracts. */
  @Column('text', { default: 'kept' }) unknown_visitors: string;
  /** Whether its visits are made up. One project at most. */
  @Column('boolean', { default: false }) is_demo: boolean;
  @Column('timestamptz', { default: () => 'now()' }) created_at: Date;
}

/** A credential that reports visits of one project. */
@Entity('access_tokens')
export class AccessTokenEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') project_id: string;
  @Column('text') name: string;
  /** SHA-256 of the token. */
  @Column('bytea', { select: false }) hash: Buffer;
  /** The token, encrypted by `SecretBox`. */
  @Column('bytea') encrypted: Buffer;
  /** The token's last four characters. */
  @Column('text') hint: string;
  @Column('boolean', { default: false }) from_environment: boolean;
  /** Whether it was revoked because the environment has another value. */
  @Column('boolean', { default: false }) is_replaced: boolean;
  @Column('timestamptz', { default: () => 'now()' }) created_at: Date;
  @ManyToOne(() => UserEntity, { nullable: true })
  @JoinColumn({ name: 'created_by' })
  created_by: Relation<UserEntity> | null;
  @Column('timestamptz', { nullable: true }) revoked_at: Date | null;
  /** When it stops working; null: never. */
  @Column('timestamptz', { nullable: true }) expires_at: Date | null;
  /** CIDR blocks that it may be used from; empty: anywhere. */
  @Column('text', { array: true, default: [] }) allowed_networks: string[];
  /** What it may be used for. */
  @Column('text', { array: true, default: [...TOKEN_PURPOSES] }) purposes: TokenPurpose[];
  /** To the minute. */
  @Column('timestamptz', { nullable: true }) last_used_at: Date | null;
}

/** A person's role in a project. */
@Entity('project_members')
export class MemberEntity {
  @PrimaryColumn('uuid') project_id: string;
  @PrimaryColumn('uuid') user_id: string;
  @Column('text') role: 'owner' | 'member' | 'viewer';
  @Column('timestamptz', { default: () => 'now()' }) created_at: Date;
}

/** A link with which people join a project. */
@Entity('project_invitations')
export class InvitationEntity {
  @PrimaryColumn('uuid') id: string;
  @ManyToOne(() => ProjectEntity, { nullable: false })
  @JoinColumn({ name: 'project_id' })
  project: Relation<ProjectEntity>;
  @Column('text') role: 'owner' | 'member' | 'viewer';
  /** SHA-256 of the link's token, which is not stored. */
  @Column('bytea', { select: false }) hash: Buffer;
  @ManyToOne(() => UserEntity, { nullable: true })
  @JoinColumn({ name: 'created_by' })
  created_by: Relation<UserEntity> | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at: Date;
  @Column('timestamptz') expires_at: Date;
}
