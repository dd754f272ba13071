import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { timelineCursor, type TimelineFilters, type TimelineVisit } from '#libs/contracts';
import { TimelineRepository } from '#libs/visit-store';
import type { Principal } from '../access/principal.js';
import { ExportLimits } from './stream-limits.js';
import { CSV_HEADER, visitLine } from './visit-csv.js';

type ExportFormat = 'csv' | 'ndjson';

/** Maximum number of visits per page. Pages of large visits have fewer. */
const PAGE_VISITS = 1_000;
const CHUNK_BYTES = 64 * 1_024;
/** Clients that don't read for this long are disconnected. */
const IDLE_TIMEOUT_MS = 60_000;

/** Exports all matching visits, newest first. Reads a page at a time, as fast as the client. */
@Injectable()
export class VisitExportService {
  constructor(
    private readonly timeline: TimelineRepository,
    private readonly limits: ExportLimits,
  ) {}

  /**
   * Opens a stream. Rejects if the first page can't be read. Later failures destroy the stream, and so does a client
   * that stops reading. The export stops when the stream is destroyed.
   *
   * @throws ProblemError 429 if too many exports are running.
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
      // Streams that are never read close, too.
      return withIdleTimeout(IDLE_TIMEOUT_MS, text).once('close', release);
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
          ? page.value.map((document) => visitLine(JSON.parse(document) as TimelineVisit))
          : page.value.map((document) => `${oneLine(document)}\n`);
      const bytes = Buffer.from(lines.join(''));
      for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES) {
        yield bytes.subarray(offset, offset + CHUNK_BYTES);
      }
    }
  }

  private async *pages(projectId: string, filters: TimelineFilters): AsyncGenerator<string[], void> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { documents, nextCursor } = await this.timeline.page(projectId, {
        ...filters,
        limit: PAGE_VISITS,
        cursor: cursor === undefined ? null : timelineCursor.read(cursor),
      });
      if (documents.length > 0) yield documents;
      cursor = nextCursor;
    }
  }
}

/** Returns a stream that is destroyed if nothing is read from it for this long. */
export function withIdleTimeout(timeoutMs: number, chunks: AsyncIterable<Buffer>): Readable {
  async function* read(): AsyncGenerator<Buffer, void> {
    for await (const chunk of chunks) {
      timer.refresh();
      yield chunk;
    }
  }
  const stream = Readable.from(read(), { objectMode: false });
  const timer = setTimeout(() => stream.destroy(), timeoutMs);
  return stream.once('close', () => clearTimeout(timer));
}

/** Joins the lines of a JSON text. Stored visits keep the client's line breaks, which are only whitespace in JSON. */
const oneLine = (document: string): string => document.replaceAll(/[\r\n]+/g, ' ');
