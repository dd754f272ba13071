import { Injectable } from '@nestjs/common';
import { getFirstIdAt } from '#libs/contracts';
import { select, type Snapshot } from './snapshot.js';

export interface UserAgentCounts {
  counts: { user_agent: string; visits: number }[];
  /** Fraction of the visits that were read, from 0 to 1. */
  share: number;
}

/**
 * Maximum number of bytes to read (about 250,000 visits). If there are more, a random sample of database pages is read.
 */
const MAX_BYTES = 64 * 1024 * 1024;
export const MAX_USER_AGENTS = 50_000;
export const MAX_USER_AGENT_CHARACTERS = 4_096;

/** Reads the user agents of unknown visitors, to count how many visits proposed agents would match. */
@Injectable()
export class ProposalVisitsRepository {
  /** @param from Start of the period, in milliseconds since the epoch. */
  async countUserAgents(snapshot: Snapshot, from: number): Promise<UserAgentCounts> {
    const day = new Date(from).toISOString().slice(0, 10).replaceAll('-', '');
    const [size] = await select<{ bytes: string | null }>(
      snapshot,
      `SELECT sum(pg_relation_size(c.oid)) AS bytes FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'unknown_visits'::regclass AND c.relname >= 'unknown_visits_' || $1`,
      [day],
    );
    const share = Math.min(1, MAX_BYTES / Math.max(1, Number(size?.bytes ?? 0)));
    // The template contains the header's placeholder number. Placeholders 1–7 are columns, so 8 is the document's first
    // value.
    const counts = await select<UserAgentCounts['counts'][number]>(
      snapshot,
      `SELECT user_agent, count(*)::integer AS visits FROM (
         SELECT left(CASE WHEN v.form IS NOT NULL THEN v.document ->> f.index
           ELSE coalesce(v.document #>> '{visit,request_headers,user-agent}', v.document #>> '{visit,request_headers,User-Agent}')
           END, ${MAX_USER_AGENT_CHARACTERS}) AS user_agent
         FROM unknown_visits AS v TABLESAMPLE SYSTEM ($3) LEFT JOIN (
           SELECT id, substring(template FROM '(?i)"user-agent":%([0-9]+)[$]s')::integer - 8 AS index FROM visit_forms
         ) f ON f.id = v.form
         WHERE v.id >= $1 AND v.project_id IS NOT NULL AND v.occurred_at >= $2
       ) u WHERE user_agent IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT ${MAX_USER_AGENTS}`,
      [getFirstIdAt(from), new Date(from), share * 100],
    );
    return { counts, share };
  }
}
