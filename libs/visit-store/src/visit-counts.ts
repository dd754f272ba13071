import type { VisitRow } from './visit-row.js';

const BUCKET_MS = 900_000;
/** Agent ID for visits that match no agent. */
export const NO_AGENT = '00000000-0000-0000-0000-000000000000';

interface AgentCount {
  agentType: string;
  result: string;
  visits: number;
  lastAt: number;
}

class Bucket {
  private readonly byAgent = new Map<string, AgentCount[]>();
  private readonly byDimension = new Map<string, Map<string, number>>();

  constructor(
    private readonly project: number,
    private readonly start: number,
  ) {}

  count({ agentId, agentType, result, occurredAt, page, status, dimensions }: VisitRow): void {
    this.countAgent(agentId ?? NO_AGENT, agentType ?? '', result, occurredAt);
    this.countValue(agentId === null ? 'page' : 'agent_page', page);
    if (status !== null) this.countValue(agentId === null ? 'status' : 'agent_status', String(status));
    for (const [dimension, value] of dimensions) this.countValue(dimension, value);
  }

  addTo(countColumns: Counts): void {
    for (const [agentId, counts] of this.byAgent) {
      for (const { agentType, result, visits, lastAt } of counts) {
        countColumns['counts.project'].push(this.project);
        countColumns['counts.bucket'].push(this.start);
        countColumns['counts.agent_id'].push(agentId);
        countColumns['counts.agent_type'].push(agentType);
        countColumns['counts.result'].push(result);
        countColumns['counts.visits'].push(visits);
        countColumns['counts.last_at'].push(lastAt);
      }
    }
    for (const [dimension, values] of this.byDimension) {
      for (const [value, visits] of values) {
        countColumns['tops.project'].push(this.project);
        countColumns['tops.bucket'].push(this.start);
        countColumns['tops.dimension'].push(dimension);
        countColumns['tops.value'].push(value);
        countColumns['tops.visits'].push(visits);
      }
    }
  }

  private countAgent(agentId: string, agentType: string, result: string, occurredAt: number): void {
    let counts = this.byAgent.get(agentId);
    if (counts === undefined) this.byAgent.set(agentId, (counts = []));
    let count = counts.find((each) => each.agentType === agentType && each.result === result);
    if (count === undefined) counts.push((count = { agentType, result, visits: 0, lastAt: occurredAt }));
    count.visits += 1;
    count.lastAt = Math.max(count.lastAt, occurredAt);
  }

  private countValue(dimension: string, value: string): void {
    let values = this.byDimension.get(dimension);
    if (values === undefined) this.byDimension.set(dimension, (values = new Map()));
    values.set(value, (values.get(value) ?? 0) + 1);
  }
}

/** Column values by parameter name. Buckets are identified by their start time in milliseconds since the epoch. */
interface Counts {
  'counts.project': number[];
  'counts.bucket': number[];
  'counts.agent_id': string[];
  'counts.agent_type': string[];
  'counts.result': string[];
  'counts.visits': number[];
  'counts.last_at': number[];
  'tops.project': number[];
  'tops.bucket': number[];
  'tops.dimension': string[];
  'tops.value': string[];
  'tops.visits': number[];
}

/**
 * Counts visits by 15-minute bucket and agent, and by the values of each dimension.
 *
 * @param projects Project number for each row. Rows of the same project must be adjacent.
 */
export function countVisits(rows: readonly VisitRow[], projects: readonly number[]): Counts {
  const countColumns: Counts = {
    'counts.project': [],
    'counts.bucket': [],
    'counts.agent_id': [],
    'counts.agent_type': [],
    'counts.result': [],
    'counts.visits': [],
    'counts.last_at': [],
    'tops.project': [],
    'tops.bucket': [],
    'tops.dimension': [],
    'tops.value': [],
    'tops.visits': [],
  };
  let buckets = new Map<number, Bucket>();
  for (const [index, row] of rows.entries()) {
    const project = projects[index]!;
    if (project !== projects[index - 1]) buckets = new Map();
    const start = Math.floor(row.occurredAt / BUCKET_MS) * BUCKET_MS;
    let bucket = buckets.get(start);
    if (bucket === undefined) buckets.set(start, (bucket = new Bucket(project, start)));
    bucket.count(row);
    if (project !== projects[index + 1]) for (const each of buckets.values()) each.addTo(countColumns);
  }
  return countColumns;
}
