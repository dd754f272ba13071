import { Inject, Injectable } from '@nestjs/common';
import { READ_DATA_SOURCE } from '#libs/database';
import type { DataSource } from 'typeorm';

@Injectable()
export class SignersRepository {
  constructor(@Inject(READ_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** Returns the IDs of agents that can sign their requests. */
  async find(): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT id FROM agents
       WHERE record #> '{verification,signature_agents,0}' IS NOT NULL`,
    );
    return rows.map(({ id }) => id);
  }
}
