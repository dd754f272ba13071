import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person's account. Properties of entities are named as their columns, which are named as in the interface. */
@Entity('users')
export class UserEntity {
  @PrimaryColumn('uuid') id: string;
  /** In lower case. */
  @Column('text') email: string;
  @Column('boolean', { default: false }) email_verified: boolean;
  @Column('text') name: string;
  @Column('boolean', { default: false }) is_admin: boolean;
  @Column('timestamptz', { default: () => 'now()' }) created_at: Date;
  @Column('timestamptz', { default: () => 'now()' }) updated_at: Date;
}

/** A link with which a person chooses a new password. */
@Entity('password_resets')
export class PasswordResetEntity {
  @PrimaryColumn('uuid') user_id: string;
  /** SHA-256 of the link's token, which is not stored. */
  @Column('bytea', { select: false }) hash: Buffer;
  @Column('timestamptz') expires_at: Date;
  @Column('uuid', { nullable: true }) created_by: string | null;
}
