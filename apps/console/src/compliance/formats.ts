import { MAX_FORMAT_ROWS, parseDimension, type RequestedFormat, type ResponseFormat } from '#libs/contracts';
import type { DimensionCount } from '#libs/visit-store';

/** Number of visits with which an agent asked for one format and got another. */
interface FormatCount {
  agent_id: string;
  requested: RequestedFormat;
  response: ResponseFormat;
  visits: number;
}

/** Returns the counts of formats. Leaves out visits over the limit on different values. */
export const toFormatCounts = (counts: readonly DimensionCount[]): FormatCount[] =>
  counts
    .filter(({ value }) => value !== '')
    .slice(0, MAX_FORMAT_ROWS)
    .map(({ value, visits }) => {
      const [agent_id, requested, response] = parseDimension(value) as [string, RequestedFormat, ResponseFormat];
      return { agent_id, requested, response, visits };
    });
