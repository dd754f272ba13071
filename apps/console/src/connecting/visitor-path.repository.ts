import { Injectable } from '@nestjs/common';
import type { UnknownVisitors } from '#libs/contracts';
import { DataSource } from 'typeorm';

/** What a visit shows of the path that it took. */
export interface VisitOnPath {
  headers: Record<string, unknown>;
  peer: string | null;
  /** Whether its address came from a header that anyone can send. */
  isUnconfirmed: boolean;
}

@Injectable()
export class VisitorPathRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the newest visits of a project that have all of their headers.
   *
   * @param unknownVisitors unless their visits are kept like others, only those of agents have all headers.
   */
  async newest(projectId: string, unknownVisitors: UnknownVisitors, limit: number): Promise<VisitOnPath[]> {
    const condition = unknownVisitors === 'kept' ? '' : 'AND agent_id IS NOT NULL';
    return this.dataSource.query<VisitOnPath[]>(
      `SELECT document->'visit'->'request_headers' AS headers, document->'visit'->>'client_address' AS peer,
         document#>'{identification,evidence,client_address_note}' IS NOT NULL AS "isUnconfirmed"
       FROM visits_full WHERE project_id = $1 ${condition} ORDER BY occurred_at DESC, id DESC LIMIT $2`,
      [projectId, limit],
    );
  }
}
