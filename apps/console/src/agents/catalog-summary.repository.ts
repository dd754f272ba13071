import { Injectable } from '@nestjs/common';
import type { CatalogSummary } from '#libs/contracts';
import { DataSource } from 'typeorm';

interface Counted {
  name: string | null;
  agents: number;
  robots_tokens: number;
}

@Injectable()
export class CatalogSummaryRepository {
  constructor(private readonly dataSource: DataSource) {}

  async summary(): Promise<CatalogSummary> {
    const [types, operators] = await Promise.all([this.by('type'), this.by('operator')]);
    const counts = ({ agents, robots_tokens: tokens }: Counted) => ({ agents, robots_tokens: tokens });
    return {
      agents: types.reduce((sum, { agents }) => sum + agents, 0),
      types: types.map((row) => ({ type: row.name ?? '', ...counts(row) })),
      operators: operators.flatMap((row) => (row.name === null ? [] : { operator: row.name, ...counts(row) })),
    };
  }

  private by(field: 'type' | 'operator'): Promise<Counted[]> {
    return this.dataSource.query(
      `SELECT agent ->> $1 AS name, count(*)::integer AS agents, count(agent ->> 'robots_token')::integer AS robots_tokens
       FROM (SELECT coalesce(own, bundled, feed) AS agent FROM agents OFFSET 0) a GROUP BY 1 ORDER BY lower(agent ->> $1)`,
      [field],
    );
  }
}
