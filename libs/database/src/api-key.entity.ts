import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { ApiKeyScope } from '#libs/contracts';
import { UserEntity } from './user.entity.js';

@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('text') name: string;
  /** SHA-256 of the key. The key itself isn't stored. */
  @Column('bytea', { select: false }) hash: Buffer;
  /** Whether the key has access to all projects and to instance administration. Never true for a personal key. */
  @Column('boolean') admin: boolean;
  /** Projects that the key is limited to. Empty: all projects, or all projects of its user. */
  @Column('uuid', { array: true, default: [] }) project_ids: string[];
  @Column('text', { array: true }) scopes: ApiKeyScope[];
  @Column('boolean', { default: false }) from_environment: boolean;
  /** Whether the key was revoked because the environment variable changed. */
  @Column('boolean', { default: false }) is_replaced: boolean;
  @Column('timestamptz', { default: () => 'now()' }) created_at: Date;
  @ManyToOne(() => UserEntity, { nullable: true })
  @JoinColumn({ name: 'created_by' })
  created_by: Relation<UserEntity> | null;
  /** User of a personal key, whose permissions it has. Null: the key isn't personal. */
  @ManyToOne(() => UserEntity, { nullable: true })
  @JoinColumn({ name: 'acts_as' })
  acts_as: Relation<UserEntity> | null;
  @Column('timestamptz', { nullable: true }) revoked_at: Date | null;
  @Column('timestamptz', { nullable: true }) expires_at: Date | null;
  /** Accurate to the minute. */
  @Column('timestamptz', { nullable: true }) last_used_at: Date | null;
}
