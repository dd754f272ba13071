import { Injectable } from '@nestjs/common';
import type { CatalogSummary } from '#libs/contracts';
import { DataSource } from 'typeorm';

interface CatalogCount {
  name: string | null;
  agents: number;
  robots_tokens: number;
}

@Injectable()
export class CatalogSummaryRepository {
  constructor(private readonly dataSource: DataSource) {}

  async summary(): Promise<CatalogSummary> {
    const [types, operators] = await Promise.all([this.countBy('type'), this.countBy('operator')]);
    const toCounts = ({ agents, robots_tokens: tokens }: CatalogCount) => ({ agents, robots_tokens: tokens });
    return {
      agents: types.reduce((sum, { agents }) => sum + agents, 0),
      types: types.map((row) => ({ type: row.name ?? '', ...toCounts(row) })),
      operators: operators.flatMap((row) => (row.name === null ? [] : { operator: row.name, ...toCounts(row) })),
    };
  }

  private countBy(field: 'type' | 'operator'): Promise<CatalogCount[]> {
    return this.dataSource.query(
      `SELECT record ->> $1 AS name, count(*)::integer AS agents, count(record ->> 'robots_token')::integer AS robots_tokens
       FROM agents GROUP BY 1 ORDER BY lower(record ->> $1)`,
      [field],
    );
  }
}
