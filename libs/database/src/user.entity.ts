import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user account. Property names match the database columns and API fields. */
@Entity('users')
export class UserEntity {
  @PrimaryColumn('uuid') id: string;
  /** Email address in lowercase. */
  @Column('text') email: string;
  @Column('boolean', { default: false }) email_verified: boolean;
  @Column('text') name: string;
  @Column('boolean', { default: false }) is_admin: boolean;
  @Column('timestamptz', { default: () => 'now()' }) created_at: Date;
  @Column('timestamptz', { default: () => 'now()' }) updated_at: Date;
}

@Entity('password_resets')
export class PasswordResetEntity {
  @PrimaryColumn('uuid') user_id: string;
  /** SHA-256 of the token in the reset link, which isn't stored in plain text. */
  @Column('bytea', { select: false }) hash: Buffer;
  @Column('timestamptz') expires_at: Date;
  @Column('uuid', { nullable: true }) created_by: string | null;
}
