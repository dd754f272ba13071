import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { timelineCursor, type EnrichedVisit, type TimelineFilters } from '#libs/contracts';
import type { Principal } from '../access/principal.js';
import { ExportLimits } from './stream-limits.js';
import { TimelineRepository } from './timeline.repository.js';
import { CSV_HEADER, csvLine } from './visit-csv.js';

export type ExportFormat = 'csv' | 'ndjson';

/** Visits that are read at a time; a page ends early where they are large. */
const MAX_PAGE = 1_000;
/** Bytes that are handed to the client at a time. */
const SLICE_BYTES = 64 * 1_024;
/** Milliseconds for which a client may take nothing. */
const IDLE_MS = 60_000;

/** All visits that fit, newest first, read page by page while somebody takes them. */
@Injectable()
export class VisitExportService {
  constructor(
    private readonly timeline: TimelineRepository,
    private readonly limits: ExportLimits,
  ) {}

  /**
   * Rejects when there is no first page; what comes later breaks the stream off, and so does a minute in which nothing
   * is taken from it. Whoever destroys it ends the work.
   *
   * @throws ProblemError 429 when too many are under way.
   */
  async open(
    principal: Principal,
    projectId: string,
    filters: TimelineFilters,
    format: ExportFormat,
  ): Promise<Readable> {
    const release = this.limits.acquire(principal);
    const pages = this.pages(projectId, filters);
    try {
      const text = this.text(await pages.next(), pages, format);
      // Also of a stream that nobody ever read.
      return readableWithin(IDLE_MS, text).once('close', release);
    } catch (error) {
      release();
      throw error;
    }
  }

  private async *text(
    first: IteratorResult<string[], void>,
    pages: AsyncGenerator<string[], void>,
    format: ExportFormat,
  ): AsyncGenerator<Buffer, void> {
    if (format === 'csv') yield Buffer.from(CSV_HEADER);
    for (let page = first; !page.done; page = await pages.next()) {
      const lines =
        format === 'csv'
          ? page.value.map((document) => csvLine(JSON.parse(document) as EnrichedVisit))
          : page.value.map((document) => `${oneLine(document)}\n`);
      const bytes = Buffer.from(lines.join(''));
      for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
    }
  }

  private async *pages(projectId: string, filters: TimelineFilters): AsyncGenerator<string[], void> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const place = cursor === undefined ? null : timelineCursor.read(cursor);
      const { documents, nextCursor } = await this.timeline.page(projectId, {
        ...filters,
        limit: MAX_PAGE,
        cursor: place,
      });
      if (documents.length > 0) yield documents;
      cursor = nextCursor;
    }
  }
}

/** @returns a stream that is destroyed when nobody has taken anything from it for so many milliseconds. */
export function readableWithin(milliseconds: number, chunks: AsyncIterable<Buffer>): Readable {
  async function* taken(): AsyncGenerator<Buffer, void> {
    for await (const chunk of chunks) {
      timer.refresh();
      yield chunk;
    }
  }
  const stream = Readable.from(taken(), { objectMode: false });
  const timer = setTimeout(() => stream.destroy(), milliseconds);
  return stream.once('close', () => clearTimeout(timer));
}

/** As it is stored; a client may have written it over several lines, which within JSON are nothing but spaces. */
const oneLine = (document: string): string => document.replaceAll(/[\r\n]+/g, ' ');
