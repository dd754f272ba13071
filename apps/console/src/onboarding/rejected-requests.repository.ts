import { Injectable } from '@nestjs/common';
import { MAX_REJECTED_REQUESTS, type RejectedRequest } from '#libs/contracts';
import { PROBLEMS, type ProblemType } from '#libs/platform';
import { DataSource } from 'typeorm';

interface Row extends Omit<RejectedRequest, 'refused_at' | 'title'> {
  refused_at: Date;
}

const COLUMNS = `r.id::text AS id, r.refused_at, r.times, r.method, r.path, r.status, r.code, r.detail, r.pointer,
  t.name AS token_name, r.client_address`;
const TABLES = `refused_requests r LEFT JOIN access_tokens t ON t.id = r.token_id`;

/** Reads requests rejected by the gateway, which stores them with a delay of about a second. */
@Injectable()
export class RejectedRequestsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async listForProject(projectId: string): Promise<RejectedRequest[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM ${TABLES} WHERE r.project_id = $1 ORDER BY r.id DESC LIMIT ${MAX_REJECTED_REQUESTS.project}`,
      [projectId],
    );
    return rows.map(toRejectedRequest);
  }

  /** Returns requests with unknown tokens, newest first. */
  async listWithUnknownToken(): Promise<RejectedRequest[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM ${TABLES} WHERE r.project_id IS NULL ORDER BY r.id DESC LIMIT ${MAX_REJECTED_REQUESTS.unknown}`,
    );
    return rows.map(toRejectedRequest);
  }

  /**
   * Returns a project's newest report that was rejected since the given time. Reports with an unknown token are matched
   * by the site's addresses.
   */
  async findNewestReportSince(
    projectId: string,
    since: Date,
    addresses: readonly string[],
  ): Promise<RejectedRequest | null> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM ${TABLES}
       WHERE r.refused_at >= $2 AND r.path = '/visits'
         AND (r.project_id = $1 OR (r.project_id IS NULL AND r.client_address = ANY ($3::text[])))
       ORDER BY r.project_id IS NULL, r.id DESC LIMIT 1`,
      [projectId, since, addresses],
    );
    return rows[0] === undefined ? null : toRejectedRequest(rows[0]);
  }

  /** Returns whether reports with unknown tokens, from any address, were rejected since the given time. */
  async hasUnknownTokenSince(since: Date): Promise<boolean> {
    const [row]: [{ found: boolean }] = await this.dataSource.query(
      `SELECT EXISTS (SELECT FROM refused_requests
         WHERE project_id IS NULL AND refused_at >= $1 AND path = '/visits') AS found`,
      [since],
    );
    return row.found;
  }
}

const toRejectedRequest = ({ refused_at: at, code, ...row }: Row): RejectedRequest => ({
  ...row,
  refused_at: at.toISOString(),
  code,
  // During an upgrade, newer gateways can write codes that don't exist in this version.
  title: PROBLEMS[code as ProblemType]?.title ?? code,
});
