import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { timelineCursor, type TimelineFilters, type TimelineVisit } from '#libs/contracts';
import { TimelineRepository } from '#libs/visit-store';
import type { Principal } from '../access/principal.js';
import { ExportLimiter } from './stream-limits.js';
import { CSV_HEADER, toCsvLine } from './visit-csv.js';

type ExportFormat = 'csv' | 'ndjson';

/** Maximum number of visits per page. Pages with large visits contain fewer. */
const MAX_PAGE_VISITS = 1_000;
const CHUNK_BYTES = 64 * 1_024;
/** Clients that don't read for this long are disconnected. */
const IDLE_TIMEOUT_MS = 60_000;

/** Exports all matching visits, newest first. Reads a page at a time, no faster than the client. */
@Injectable()
export class VisitExportService {
  constructor(
    private readonly timeline: TimelineRepository,
    private readonly limits: ExportLimiter,
  ) {}

  /**
   * Opens an export stream. Rejects if the first page can't be read. A later error, or a client that stops reading,
   * destroys the stream and stops the export.
   *
   * @throws {ProblemError} 429 if too many exports are running.
   */
  async open(
    principal: Principal,
    projectId: string,
    filters: TimelineFilters,
    format: ExportFormat,
  ): Promise<Readable> {
    const release = this.limits.acquire(principal);
    const pages = this.readPages(projectId, filters);
    try {
      const text = this.encode(await pages.next(), pages, format);
      // The idle timeout also closes streams that are never read, so the slot is always released.
      return withIdleTimeout(IDLE_TIMEOUT_MS, text).once('close', release);
    } catch (error) {
      release();
      throw error;
    }
  }

  private async *encode(
    first: IteratorResult<string[], void>,
    pages: AsyncGenerator<string[], void>,
    format: ExportFormat,
  ): AsyncGenerator<Buffer, void> {
    if (format === 'csv') yield Buffer.from(CSV_HEADER);
    for (let page = first; !page.done; page = await pages.next()) {
      const lines =
        format === 'csv'
          ? page.value.map((document) => toCsvLine(JSON.parse(document) as TimelineVisit))
          : page.value.map((document) => `${toOneLine(document)}\n`);
      const bytes = Buffer.from(lines.join(''));
      for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES) {
        yield bytes.subarray(offset, offset + CHUNK_BYTES);
      }
    }
  }

  private async *readPages(projectId: string, filters: TimelineFilters): AsyncGenerator<string[], void> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { documents, nextCursor } = await this.timeline.page(projectId, {
        ...filters,
        limit: MAX_PAGE_VISITS,
        cursor: cursor === undefined ? null : timelineCursor.read(cursor),
      });
      if (documents.length > 0) yield documents;
      cursor = nextCursor;
    }
  }
}

/** Returns a stream of the chunks that is destroyed if nothing is read from it for `timeoutMs`. */
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

/**
 * Replaces line breaks with spaces. Stored visits retain the client's line breaks, which are only whitespace in JSON.
 */
const toOneLine = (document: string): string => document.replaceAll(/[\r\n]+/g, ' ');
