import { Injectable } from '@nestjs/common';
import { MAX_REJECTED_REQUESTS } from '#libs/contracts';
import { DataSource } from 'typeorm';

/** A rejected request, or several identical ones. */
export interface RejectedRequest {
  /** Project ID, or null if the token is unknown. */
  projectId: string | null;
  tokenId: string | null;
  /** Time of the latest request, from `performance.now()`. */
  at: number;
  times: number;
  method: string;
  /** Route path, with parameter placeholders. */
  path: string;
  status: number;
  code: string;
  detail: string;
  pointer: string | null;
  clientAddress: string;
}

@Injectable()
export class RejectedRequestsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Adds rejected requests and deletes the oldest ones over the limit. Skips projects that no longer exist. */
  async save(refusals: readonly RejectedRequest[]): Promise<void> {
    const now = performance.now();
    const rows = refusals.map(({ at, ...refusal }) => ({ ...refusal, age: now - at }));
    await this.dataSource.query(
      // Uses the database clock, because the console compares these times with it.
      `INSERT INTO refused_requests
         (project_id, token_id, refused_at, times, method, path, status, code, detail, pointer, client_address)
       SELECT r."projectId", t.id, now() - r.age * interval '1 ms', r.times, r.method, r.path, r.status, r.code, r.detail,
         r.pointer, r."clientAddress"
       FROM json_to_recordset($1) AS r ("projectId" uuid, "tokenId" uuid, age float8, times integer, method text,
         path text, status smallint, code text, detail text, pointer text, "clientAddress" text)
       LEFT JOIN projects p ON p.id = r."projectId" LEFT JOIN access_tokens t ON t.id = r."tokenId"
       WHERE r."projectId" IS NULL OR p.id IS NOT NULL
       ORDER BY r.age DESC`,
      [JSON.stringify(rows)],
    );
    const projects = [...new Set(refusals.map(({ projectId }) => projectId))];
    for (const projectId of projects) {
      await this.dataSource.query(
        `DELETE FROM refused_requests WHERE project_id IS NOT DISTINCT FROM $1::uuid AND id <= (
           SELECT id FROM refused_requests WHERE project_id IS NOT DISTINCT FROM $1::uuid
           ORDER BY id DESC OFFSET $2 LIMIT 1)`,
        [projectId, projectId === null ? MAX_REJECTED_REQUESTS.unknown : MAX_REJECTED_REQUESTS.project],
      );
    }
  }
}
