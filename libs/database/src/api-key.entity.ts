import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { ApiKeyScope } from '#libs/contracts';
import { UserEntity } from './user.entity.js';

@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('text') name: string;
  /** SHA-256 of the key, which isn't stored in plain text. */
  @Column('bytea', { select: false }) hash: Buffer;
  /** Grants access to all projects and to instance administration. Always false for personal keys. */
  @Column('boolean') admin: boolean;
  /**
   * IDs of the projects the key can access. If empty, it can access all projects, or all of its user's projects if it
   * is a personal key.
   */
  @Column('uuid', { array: true, default: [] }) project_ids: string[];
  @Column('text', { array: true }) scopes: ApiKeyScope[];
  @Column('boolean', { default: false }) from_environment: boolean;
  /** True if the key was revoked because its environment variable changed. */
  @Column('boolean', { default: false }) is_replaced: boolean;
  @Column('timestamptz', { default: () => 'now()' }) created_at: Date;
  @ManyToOne(() => UserEntity, { nullable: true })
  @JoinColumn({ name: 'created_by' })
  created_by: Relation<UserEntity> | null;
  /** User whose permissions a personal key inherits. Null if the key isn't personal. */
  @ManyToOne(() => UserEntity, { nullable: true })
  @JoinColumn({ name: 'acts_as' })
  acts_as: Relation<UserEntity> | null;
  @Column('timestamptz', { nullable: true }) revoked_at: Date | null;
  @Column('timestamptz', { nullable: true }) expires_at: Date | null;
  /** Time of last use, accurate to the minute. */
  @Column('timestamptz', { nullable: true }) last_used_at: Date | null;
}
