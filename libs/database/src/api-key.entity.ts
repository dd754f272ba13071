import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A personal key for the console's interface: for everything, or for some projects. */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** SHA-256 of the key; its value is shown once and kept nowhere. */
  @Column('bytea')
  hash: Buffer;

  @Column('boolean')
  admin: boolean;

  /** What a key without admin rights reaches. */
  @Column('uuid', { name: 'project_ids', array: true, default: [] })
  projectIds: string[];

  @Column('boolean', { name: 'from_environment', default: false })
  fromEnvironment: boolean;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;
}
