import { Injectable } from '@nestjs/common';
import { firstIdAt } from '#libs/contracts';
import { select, type Snapshot } from './snapshot.js';

/** User-Agents of unknown visitors, and how often each was seen. */
export interface UserAgentCounts {
  counts: { user_agent: string; visits: number }[];
  /** Of the visits, those that were read: 1 unless there were too many. */
  share: number;
}

/** Bytes of the table that are read at most, some 250,000 visits; of more a sample of its pages is. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_USER_AGENTS = 50_000;

/** Reads what proposals of agents are counted by. */
@Injectable()
export class ProposalVisitsRepository {
  /** @param from milliseconds: of visits since then. */
  async userAgents(snapshot: Snapshot, from: number): Promise<UserAgentCounts> {
    const day = new Date(from).toISOString().slice(0, 10).replaceAll('-', '');
    const [size] = await select<{ bytes: string | null }>(
      snapshot,
      `SELECT sum(pg_relation_size(c.oid)) AS bytes FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'unknown_visits'::regclass AND c.relname >= 'unknown_visits_' || $1`,
      [day],
    );
    const share = Math.min(1, MAX_BYTES / Math.max(1, Number(size?.bytes ?? 0)));
    // A form says at which position among a visit's own values the header is; the first of them is 8.
    const counts = await select<UserAgentCounts['counts'][number]>(
      snapshot,
      `SELECT user_agent, count(*)::integer AS visits FROM (
         SELECT left(CASE WHEN v.form IS NOT NULL THEN v.document ->> f.index
           ELSE coalesce(v.document #>> '{visit,request_headers,user-agent}', v.document #>> '{visit,request_headers,User-Agent}')
           END, 4096) AS user_agent
         FROM unknown_visits AS v TABLESAMPLE SYSTEM ($3) LEFT JOIN (
           SELECT id, substring(template FROM '(?i)"user-agent":%([0-9]+)[$]s')::integer - 8 AS index FROM visit_forms
         ) f ON f.id = v.form
         WHERE v.id >= $1 AND v.project_id IS NOT NULL AND v.occurred_at >= $2
       ) u WHERE user_agent IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT ${MAX_USER_AGENTS}`,
      [firstIdAt(from), new Date(from), share * 100],
    );
    return { counts, share };
  }
}
