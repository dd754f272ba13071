import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { ApiKeyScope } from '#libs/contracts';
import { UserEntity } from './user.entity.js';

/** A key for the console's interface: for everything, or for some projects. */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('text') name: string;
  /** SHA-256 of the key, which is not stored. */
  @Column('bytea', { select: false }) hash: Buffer;
  /** Whether it reaches all projects and administers the instance; never a person's own key. */
  @Column('boolean') admin: boolean;
  /** The projects that it is limited to; empty: all that its person reaches. */
  @Column('uuid', { array: true, default: [] }) project_ids: string[];
  @Column('text', { array: true }) scopes: ApiKeyScope[];
  @Column('boolean', { default: false }) from_environment: boolean;
  /** Whether it was revoked because the environment has another value. */
  @Column('boolean', { default: false }) is_replaced: boolean;
  @Column('timestamptz', { default: () => 'now()' }) created_at: Date;
  @ManyToOne(() => UserEntity, { nullable: true })
  @JoinColumn({ name: 'created_by' })
  created_by: Relation<UserEntity> | null;
  /** The person whose own key it is, with whose rights it acts. */
  @ManyToOne(() => UserEntity, { nullable: true })
  @JoinColumn({ name: 'acts_as' })
  acts_as: Relation<UserEntity> | null;
  @Column('timestamptz', { nullable: true }) revoked_at: Date | null;
  /** When it stops working; null: never. */
  @Column('timestamptz', { nullable: true }) expires_at: Date | null;
  /** To the minute. */
  @Column('timestamptz', { nullable: true }) last_used_at: Date | null;
}
