import { createPrivateKey } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { SecretBox } from '#libs/database';
import { statementKeyPurpose, type SigningKey } from '#libs/statements';
import { DataSource } from 'typeorm';
import { GATEWAY_SECRETS } from '../gateway-settings.js';

@Injectable()
export class SigningKeyRepository {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(GATEWAY_SECRETS) private readonly secrets: SecretBox | null,
  ) {}

  /** Returns the instance's current key, or null if there is none or this process can't decrypt it. */
  async find(): Promise<SigningKey | null> {
    if (this.secrets === null) return null;
    const [row]: { id: string; private_key: Buffer }[] = await this.dataSource.query(
      `SELECT id, private_key FROM statement_keys WHERE replaced_at IS NULL`,
    );
    if (row === undefined) return null;
    const { id, private_key: sealed } = row;
    return { id, privateKey: createPrivateKey(this.secrets.open(sealed, statementKeyPurpose(id))) };
  }
}
