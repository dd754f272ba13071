import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface EmulatedAgent {
  token: string;
  type: string;
  operator: string;
  behaviors: string[];
  userAgent: string;
}

@Injectable()
export class EmulatedAgentsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the agents with these tokens, in the same order. Omits agents without a sample User-Agent header. */
  async find(tokens: readonly string[]): Promise<EmulatedAgent[]> {
    return this.dataSource.query(
      `SELECT record ->> 'token' AS token, record ->> 'type' AS type, record ->> 'operator' AS operator,
         coalesce(record -> 'behaviors', '[]') AS behaviors, record -> 'sample_user_agents' ->> 0 AS "userAgent"
       FROM (SELECT coalesce(own, bundled, feed) AS record FROM agents) AS agent
       WHERE record ->> 'token' = ANY ($1::text[]) AND record -> 'sample_user_agents' ->> 0 IS NOT NULL
       ORDER BY array_position($1::text[], record ->> 'token')`,
      [tokens],
    );
  }
}
