import { Injectable } from '@nestjs/common';
import { MAX_REFUSED_REQUESTS, type RefusedRequest } from '#libs/contracts';
import { PROBLEMS, type ProblemType } from '#libs/platform';
import { DataSource } from 'typeorm';

interface Row extends Omit<RefusedRequest, 'refused_at' | 'title'> {
  refused_at: Date;
}

const COLUMNS = `r.id::text AS id, r.refused_at, r.times, r.method, r.path, r.status, r.code, r.detail, r.pointer,
  t.name AS token_name, r.client_address`;
const FROM = `refused_requests r LEFT JOIN access_tokens t ON t.id = r.token_id`;

/** Requests rejected by the gateway, which stores them with a delay of a second. */
@Injectable()
export class RefusedRequestsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async ofProject(projectId: string): Promise<RefusedRequest[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM ${FROM} WHERE r.project_id = $1 ORDER BY r.id DESC LIMIT ${MAX_REFUSED_REQUESTS.project}`,
      [projectId],
    );
    return rows.map(toRefusedRequest);
  }

  /** Returns requests with unknown tokens, newest first. */
  async ofNobody(): Promise<RefusedRequest[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM ${FROM} WHERE r.project_id IS NULL ORDER BY r.id DESC LIMIT ${MAX_REFUSED_REQUESTS.unknown}`,
    );
    return rows.map(toRefusedRequest);
  }

  /**
   * Returns the newest rejected report of a project since a time. Reports with an unknown token match by the site's
   * addresses.
   */
  async reportSince(projectId: string, since: Date, addresses: readonly string[]): Promise<RefusedRequest | null> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM ${FROM}
       WHERE r.refused_at >= $2 AND r.path = '/visits'
         AND (r.project_id = $1 OR (r.project_id IS NULL AND r.client_address = ANY ($3::text[])))
       ORDER BY r.project_id IS NULL, r.id DESC LIMIT 1`,
      [projectId, since, addresses],
    );
    return rows[0] === undefined ? null : toRefusedRequest(rows[0]);
  }

  /** Returns whether reports with unknown tokens have been rejected since a time, from any address. */
  async hasUnknownSince(since: Date): Promise<boolean> {
    const [row]: [{ found: boolean }] = await this.dataSource.query(
      `SELECT EXISTS (SELECT FROM refused_requests
         WHERE project_id IS NULL AND refused_at >= $1 AND path = '/visits') AS found`,
      [since],
    );
    return row.found;
  }
}

const toRefusedRequest = ({ refused_at: at, code, ...row }: Row): RefusedRequest => ({
  ...row,
  refused_at: at.toISOString(),
  code,
  // During an upgrade, newer gateways may write codes that are unknown here.
  title: PROBLEMS[code as ProblemType]?.title ?? code,
});
