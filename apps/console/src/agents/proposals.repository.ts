import { Inject, Injectable } from '@nestjs/common';
import type { AgentRecord } from '#libs/catalog';
import { READ_DATA_SOURCE } from '#libs/database';
import type { DataSource } from 'typeorm';

export interface ProposedAgent {
  feed_id: string;
  agent_id: string;
  record: AgentRecord;
}

@Injectable()
export class ProposalsRepository {
  constructor(@Inject(READ_DATA_SOURCE) private readonly dataSource: DataSource) {}

  list(): Promise<ProposedAgent[]> {
    return this.dataSource.query(`SELECT feed_id, agent_id, record FROM feed_agents WHERE state = 'proposed'`);
  }
}
