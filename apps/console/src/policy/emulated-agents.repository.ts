import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { AgentVerification } from '#libs/agents';

export interface EmulatedAgent {
  token: string;
  type: string;
  operator: string;
  /** Token in robots.txt, or null. */
  robotsToken: string | null;
  behaviors: string[];
  userAgent: string;
  verification: AgentVerification;
}

@Injectable()
export class EmulatedAgentsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the agents with these tokens, in the same order. Agents without a sample User-Agent header send their token. */
  async find(tokens: readonly string[]): Promise<EmulatedAgent[]> {
    return this.dataSource.query(
      `SELECT record ->> 'token' AS token, record ->> 'type' AS type, record ->> 'operator' AS operator,
         record ->> 'robots_token' AS "robotsToken",
         coalesce(record -> 'behaviors', '[]') AS behaviors, record -> 'verification' AS verification,
         coalesce(record -> 'sample_user_agents' ->> 0, record ->> 'token') AS "userAgent"
       FROM agents
       WHERE record ->> 'token' = ANY ($1::text[])
       ORDER BY array_position($1::text[], record ->> 'token')`,
      [tokens],
    );
  }
}
