import { Inject, Injectable } from '@nestjs/common';
import type { AgentBehavior, TimelineFilters } from '#libs/contracts';
import { READ_DATA_SOURCE } from '#libs/database';
import { resolveBehaviors } from '#libs/visit-store';
import type { DataSource } from 'typeorm';

@Injectable()
export class AgentBehaviorsRepository {
  constructor(@Inject(READ_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** Replaces the filters for behaviors with filters for the agents that have them today. */
  resolve<T extends Partial<TimelineFilters>>(filters: T): Promise<T> {
    return resolveBehaviors(filters, (behaviors) => this.findAgents(behaviors));
  }

  private async findAgents(behaviors: readonly AgentBehavior[]): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT id FROM agents WHERE record -> 'behaviors' ?| $1::text[]`,
      [behaviors],
    );
    return rows.map(({ id }) => id);
  }
}
