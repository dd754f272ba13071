import { ParameterReader, type Parameters } from '../parameters.js';
import { fitsFilters } from './timeline-filters.js';
import { readTimelineFilters } from './timeline-query.js';
import type { ViewerOptions } from './viewer.js';

export interface StreamQuery extends Omit<ViewerOptions, 'position'> {
  /** Position after which the stream goes on; null: with what comes next. */
  lastEventId: bigint | null;
}

/**
 * Reads the parameters of the stream.
 *
 * @param header `Last-Event-ID`, which a browser sends by itself when it connects again: it wins over the parameter.
 * @throws ProblemError 422 that names those that don't fit.
 */
export function readStreamQuery(parameters: Parameters, header: string | string[] | undefined): StreamQuery {
  const reader = new ParameterReader({ ...parameters, ...(header !== undefined && { last_event_id: header }) });
  const query: StreamQuery = {
    fits: fitsFilters(readTimelineFilters(reader)),
    maxPerSecond: reader.one('max_per_second', 'must be a whole number from 1 to 999999', (text) =>
      /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null,
    ),
    lastEventId: reader.one('last_event_id', 'must be the id of an event', (text) =>
      /^\d{1,18}$/.test(text) ? BigInt(text) : null,
    ),
  };
  reader.finish();
  return query;
}
