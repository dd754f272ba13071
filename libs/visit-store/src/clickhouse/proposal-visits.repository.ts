import { Injectable } from '@nestjs/common';
import {
  MAX_USER_AGENT_CHARACTERS,
  MAX_USER_AGENTS,
  type ProposalVisitsRepository,
  type UserAgentCounts,
} from '../proposal-visits.repository.js';
import type { PublicOf } from '../public-of.js';
import type { Snapshot } from '../snapshot.js';
import { ClickHouse } from './clickhouse.js';
import { toReceiptDay } from './receipt-day.js';
import { NO_PROJECT } from './visits-table.js';

/** Approximate number of visits to read. If there are more, a random sample of blocks is read. */
const MAX_VISITS = 250_000;
/** Number of consecutive rows that are sampled together, which is the number that ClickHouse reads at once. */
const BLOCK_ROWS = 8_192;

const CONDITION = `agent_id IS NULL AND project_id <> toUUID('${NO_PROJECT}')
  AND day >= {day:Date} AND occurred_at >= {from:Int64}`;
/** The header's value as JSON, or an empty string if the visit doesn't have the header. */
const USER_AGENT_JSON = `JSONExtractRawCaseInsensitive(document, 'visit', 'request_headers', 'user-agent')`;

@Injectable()
export class ClickHouseProposalVisitsRepository implements PublicOf<ProposalVisitsRepository> {
  constructor(private readonly clickhouse: ClickHouse) {}

  async countUserAgents({ timeoutMs }: Snapshot, from: number): Promise<UserAgentCounts> {
    const { clickhouse } = this;
    const parameters = { from, day: toReceiptDay(from) };
    const [stored] = await clickhouse.query<{ visits: number }>(
      `SELECT count() AS visits FROM ${clickhouse.visits} WHERE ${CONDITION}`,
      parameters,
      { timeoutMs },
    );
    const share = Math.min(1, MAX_VISITS / Math.max(1, stored!.visits));
    // A list of values is counted as its JSON text.
    const counts = await clickhouse.query<UserAgentCounts['counts'][number]>(
      `SELECT leftUTF8(if(startsWith(json, '"'), JSONExtractString(json), json), ${MAX_USER_AGENT_CHARACTERS}) AS user_agent,
         count() AS visits
       FROM (
         SELECT ${USER_AGENT_JSON} AS json FROM ${clickhouse.visits}
         PREWHERE ${CONDITION} AND sipHash64(_part, intDiv(_part_offset, ${BLOCK_ROWS})) < {share:Float64} * 18446744073709551616
       ) WHERE json NOT IN ('', 'null')
       GROUP BY user_agent ORDER BY visits DESC, user_agent LIMIT ${MAX_USER_AGENTS}`,
      { ...parameters, share },
      { timeoutMs },
    );
    return { counts, share };
  }
}
