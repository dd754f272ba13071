import { Injectable } from '@nestjs/common';
import { getTimeFromId, JOURNEY_TYPES, MAX_JOURNEY_PATH_LENGTH } from '#libs/contracts';
import {
  haveSessions,
  type JourneyRead,
  type JourneyVisit,
  type JourneyVisitDetails,
  type JourneyVisitPage,
  type JourneyVisitsRepository,
} from '../journey-visits.repository.js';
import type { PublicOf } from '../public-of.js';
import type { Snapshot } from '../snapshot.js';
import { toClickHouseConditions } from '../timeline-filters.js';
import { ClickHouse } from './clickhouse.js';
import { toReceiptDay } from './receipt-day.js';
import { createParameters } from './statement-parameters.js';
import { toKeyConditions } from './visit-keys.js';
import { NEWEST_FIRST, OLDEST_FIRST } from './visit-range.js';

const DAY_MS = 86_400_000;
const STEPS = 'Array(Tuple(method String, outcome String, key_id String))';

@Injectable()
export class ClickHouseJourneyVisitsRepository implements PublicOf<JourneyVisitsRepository> {
  constructor(private readonly clickhouse: ClickHouse) {}

  async read(snapshot: Snapshot, projectId: string, read: JourneyRead): Promise<JourneyVisitPage> {
    const { start, end, limit, signers } = read;
    // Most reads end within a day, and ClickHouse reads visits from every partition that can contain some.
    const nearEnd = start.side.startsWith('<')
      ? Math.max(end, start.occurredAt - DAY_MS)
      : Math.min(end, start.occurredAt + DAY_MS);
    let rows = await this.readUntil(snapshot, projectId, read, nearEnd);
    if (rows.length < limit && nearEnd !== end) rows = await this.readUntil(snapshot, projectId, read, end);
    const keys = await this.findSignatureKeys(snapshot, projectId, rows, signers);
    const last = rows.at(-1);
    return {
      visits: rows.map((row) => ({ ...row, signature_key: keys.get(row.id) ?? null })),
      searchedTo: last === undefined || rows.length < limit ? null : { occurredAt: last.occurred_at, id: last.id },
    };
  }

  async findTime({ timeoutMs }: Snapshot, projectId: string, id: string): Promise<number | null> {
    const [row] = await this.clickhouse.query<{ occurred_at: number }>(
      `SELECT occurred_at FROM ${this.clickhouse.visits}
       WHERE project_id = {project:UUID} AND day = {day:Date} AND id = {id:UUID} LIMIT 1`,
      { project: projectId, day: toReceiptDay(getTimeFromId(id)), id },
      { timeoutMs },
    );
    return row?.occurred_at ?? null;
  }

  async findDetails(
    { timeoutMs }: Snapshot,
    visits: readonly Pick<JourneyVisit, 'id' | 'occurred_at'>[],
  ): Promise<ReadonlyMap<string, JourneyVisitDetails>> {
    const { parameters, bind } = createParameters();
    const rows = await this.clickhouse.query<JourneyVisitDetails & { id: string }>(
      `SELECT id, JSONExtractString(document, 'visit', 'request_method') AS method,
         JSONExtract(document, 'automation', 'user_agent_group', 'Nullable(String)') AS user_agent_group
       FROM ${this.clickhouse.visits} WHERE ${toKeyConditions(visits, bind).join(' AND ')}`,
      parameters,
      { timeoutMs },
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  private async readUntil(
    { timeoutMs }: Snapshot,
    projectId: string,
    { start, limit, visitors }: JourneyRead,
    end: number,
  ): Promise<Omit<JourneyVisit, 'signature_key'>[]> {
    const { parameters, bind } = createParameters();
    const isBackward = start.side.startsWith('<');
    const [first, last] = isBackward ? [end, start.occurredAt] : [start.occurredAt, end];
    const conditions = [
      `project_id = ${bind(projectId, 'UUID')}`,
      `occurred_at >= ${bind(first, 'Int64')} AND occurred_at <= ${bind(last, 'Int64')}`,
      `day >= ${bind(toReceiptDay(first), 'Date')}`,
      `(occurred_at, UUIDToNum(id)) ${start.side} (${bind(start.occurredAt, 'Int64')}, UUIDToNum(${bind(start.id, 'UUID')}))`,
      haveSessions(bind(JOURNEY_TYPES, 'Array(String)'), (column, list) => `ifNull(${column} IN ${list}, false)`),
      ...toClickHouseConditions(
        {
          agent: visitors.agents && [...visitors.agents],
          type: visitors.types && [...visitors.types],
          address: visitors.network === null ? null : [visitors.network],
        },
        bind,
      ),
      ...(visitors.isUnknown ? ['agent_id IS NULL'] : []),
    ];
    return this.clickhouse.query(
      `SELECT id, occurred_at, agent_id, agent_type, operator, result, status, kinds, client_address, user_agent_group,
         leftUTF8(path, ${MAX_JOURNEY_PATH_LENGTH}) AS path
       FROM ${this.clickhouse.visits} WHERE ${conditions.join(' AND ')}
       ORDER BY ${isBackward ? NEWEST_FIRST : OLDEST_FIRST} LIMIT ${limit}`,
      parameters,
      { timeoutMs },
    );
  }

  /** Returns the keys of verified signatures by visit ID. Reads only documents of agents that can sign requests. */
  private async findSignatureKeys(
    { timeoutMs }: Snapshot,
    projectId: string,
    visits: readonly Omit<JourneyVisit, 'signature_key'>[],
    signers: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const signed = visits.filter(
      ({ agent_id: agent, result }) => result === 'verified' && agent !== null && signers.includes(agent),
    );
    if (signed.length === 0) return new Map();
    const { parameters, bind } = createParameters();
    const rows = await this.clickhouse.query<{ id: string; key: string }>(
      `SELECT id, tupleElement(arrayFirst(
           step -> step.method = 'http_message_signature' AND step.outcome = 'verified',
           JSONExtract(document, 'identification', 'evidence', 'steps', '${STEPS}')
         ), 'key_id') AS key
       FROM ${this.clickhouse.visits}
       WHERE project_id = ${bind(projectId, 'UUID')} AND ${toKeyConditions(signed, bind).join(' AND ')}`,
      parameters,
      { timeoutMs },
    );
    return new Map(rows.filter(({ key }) => key !== '').map(({ id, key }) => [id, key]));
  }
}
