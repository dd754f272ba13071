import { Inject, Injectable } from '@nestjs/common';
import { READ_DATA_SOURCE } from '#libs/database';
import type { DataSource } from 'typeorm';

@Injectable()
export class AssistantOperatorsRepository {
  constructor(@Inject(READ_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** Returns operator names keyed by assistant name. */
  async find(): Promise<Map<string, string>> {
    const rows: { name: string; operator: string }[] = await this.dataSource.query(
      `SELECT record ->> 'name' AS name, record ->> 'operator' AS operator FROM assistants`,
    );
    return new Map(rows.map(({ name, operator }) => [name, operator]));
  }
}
