import { Injectable } from '@nestjs/common';
import { executeReturning } from '#libs/database';
import { DataSource } from 'typeorm';
import { incrementRevision } from '../catalog/catalog.repository.js';

export interface DueList {
  url: string;
  format: string;
  /** Ranges from the last successful fetch. Null before the first one. */
  ranges: string[] | null;
  etag: string | null;
  last_modified: string | null;
}

interface FetchedList {
  url: string;
  /** New ranges, or null if the list hasn't changed. */
  ranges: readonly string[] | null;
  etag: string | null;
  lastModified: string | null;
  fetchedAt: Date;
}

@Injectable()
export class AddressListsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Replaces the set of lists. Existing lists retain their ranges, but become due if their format changed. */
  async replaceAll(lists: readonly { url: string; format: string }[]): Promise<void> {
    const urls = lists.map(({ url }) => url);
    await this.dataSource.query(
      `WITH kept AS (
         INSERT INTO address_lists (url, format) SELECT * FROM unnest($1::text[], $2::text[])
         ON CONFLICT (url) DO UPDATE SET format = excluded.format, etag = NULL, last_modified = NULL, next_try_at = now()
         WHERE address_lists.format <> excluded.format
       )
       DELETE FROM address_lists WHERE url <> ALL ($1::text[])`,
      [urls, lists.map(({ format }) => format)],
    );
  }

  async makeDue(urls: readonly string[]): Promise<void> {
    await this.dataSource.query(`UPDATE address_lists SET next_try_at = now() WHERE url = ANY ($1::text[])`, [urls]);
  }

  async makeAllDue(): Promise<void> {
    await this.dataSource.query(`UPDATE address_lists SET next_try_at = now()`);
  }

  /**
   * Claims due lists so that no other replica fetches them.
   *
   * @param claimSeconds Seconds until the claim expires.
   * @param candidateUrls Limits the claim to these URLs. Null allows all lists.
   */
  async claimDue(limit: number, claimSeconds: number, candidateUrls: readonly string[] | null): Promise<DueList[]> {
    const rows = await executeReturning<DueList>(
      this.dataSource,
      // A join could run a subquery several times, and lock other rows each time.
      `WITH due AS MATERIALIZED (
         SELECT url FROM address_lists
         WHERE next_try_at <= now() AND ($3::text[] IS NULL OR url = ANY ($3::text[]))
         ORDER BY next_try_at, url LIMIT $1 FOR UPDATE SKIP LOCKED
       )
       UPDATE address_lists SET next_try_at = now() + make_interval(secs => $2)
       WHERE url IN (SELECT url FROM due)
       RETURNING url, format, ranges, etag, last_modified`,
      [limit, claimSeconds, candidateUrls],
    );
    return rows;
  }

  /** Records a successful fetch. @param nextFetchSeconds Seconds until the list is due to be fetched again. */
  async storeFetched(
    { url, ranges, etag, lastModified, fetchedAt }: FetchedList,
    nextFetchSeconds: number,
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE address_lists SET ranges = coalesce($2::jsonb, ranges), etag = $3, last_modified = $4, fetched_at = $5,
         changed_at = CASE WHEN $2::jsonb IS DISTINCT FROM coalesce(ranges, 'null'::jsonb) AND $2::jsonb IS NOT NULL
           THEN $5 ELSE changed_at END,
         fault = NULL, next_try_at = now() + make_interval(secs => $6) WHERE url = $1`,
      [url, ranges === null ? null : JSON.stringify(ranges), etag, lastModified, fetchedAt, nextFetchSeconds],
    );
  }

  /** Records a failed fetch. The list retains its previous ranges. */
  async recordFault(url: string, fault: string, nextFetchSeconds: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE address_lists SET fault = $2, next_try_at = now() + make_interval(secs => $3) WHERE url = $1`,
      [url, fault, nextFetchSeconds],
    );
  }

  /** Increments the catalog revision. Call it once per round, so readers load all changes together. */
  async incrementRevision(): Promise<void> {
    await this.dataSource.transaction(incrementRevision);
  }
}
