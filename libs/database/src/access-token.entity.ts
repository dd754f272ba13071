import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A credential that posts visits of one project. */
@Entity('access_tokens')
export class AccessTokenEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('text')
  name: string;

  /** SHA-256 of the token. */
  @Column('bytea')
  hash: Buffer;

  /** The token, encrypted by `SecretBox`. */
  @Column('bytea')
  encrypted: Buffer;

  /** The token's last four characters. */
  @Column('text')
  hint: string;

  @Column('boolean', { name: 'from_environment', default: false })
  fromEnvironment: boolean;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  /** To the minute. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;
}
