import type { Compliance } from '../../api/compliance.js';
import type { FilterSet } from '../../filters/filter-set.js';

export type FormatCount = Compliance['formats'][number];
export type RequestedFormat = FormatCount['requested'];
export type ResponseFormat = FormatCount['response'];

/** Labels of formats, in the order of the chart. */
export const FORMAT_LABELS: Record<RequestedFormat, string> = {
  html: 'HTML',
  markdown: 'Markdown',
  json: 'JSON',
  text: 'Text',
  other: 'Other',
  any: 'Any (*/*)',
  none: 'Not reported',
};

const ORDER = Object.keys(FORMAT_LABELS) as RequestedFormat[];

/** Responses to requests for one format. */
export interface FormatRow {
  requested: RequestedFormat;
  visits: number;
  responses: Partial<Record<ResponseFormat, number>>;
}

/** Sums counts by requested format, and lists the formats of the responses. */
export function toFormatRows(counts: readonly FormatCount[]): { rows: FormatRow[]; responses: ResponseFormat[] } {
  const rows = ORDER.map((requested): FormatRow => ({ requested, visits: 0, responses: {} }));
  for (const { requested, response, visits } of counts) {
    const row = rows[ORDER.indexOf(requested)]!;
    row.visits += visits;
    row.responses[response] = (row.responses[response] ?? 0) + visits;
  }
  const responses = ORDER.filter((format): format is ResponseFormat =>
    counts.some(({ response }) => response === format),
  );
  return { rows: rows.filter(({ visits }) => visits > 0), responses };
}

/** Agent whose requests for Markdown got another known format most often. */
interface UnmetRequests {
  agent: FormatCount;
  /** Number of requests for Markdown. */
  requests: number;
  /** Number of them that got another format. */
  unmet: number;
}

/** Returns the agent with the most unmet requests for Markdown, or null if there are none. */
export function findUnmetRequests(counts: readonly FormatCount[]): UnmetRequests | null {
  const agents = new Map<string, UnmetRequests>();
  for (const count of counts) {
    if (count.requested !== 'markdown') continue;
    const sums = agents.get(count.agent_id) ?? { agent: count, requests: 0, unmet: 0 };
    sums.requests += count.visits;
    if (count.response !== 'markdown' && count.response !== 'none') sums.unmet += count.visits;
    agents.set(count.agent_id, sums);
  }
  const most = [...agents.values()].toSorted((one, other) => other.unmet - one.unmet)[0];
  return most === undefined || most.unmet === 0 ? null : most;
}

/** Filters matching the visits that the chart counts, apart from their agent. */
export const COUNTED_FORMATS: FilterSet = { status: ['2xx'], not_result: ['verification_failed', 'unknown_agent'] };
