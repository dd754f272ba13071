import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { EnrichedVisit } from '#libs/contracts';
import { READING_LIMITS, type ReadingLimits, tooManyExports } from './stream-limits.js';
import { readCursor } from './timeline-cursor.js';
import type { TimelineFilters } from './timeline-filters.js';
import { TimelineRepository } from './timeline.repository.js';
import { CSV_HEADER, csvLine } from './visit-csv.js';

export type ExportFormat = 'csv' | 'ndjson';

/** Characters of documents that a page should have; a single one has half a million at most. */
const PAGE_CHARACTERS = 1_000_000;
const FIRST_PAGE = 100;
const SMALLEST_PAGE = 10;
const LARGEST_PAGE = 1_000;

/** All visits that fit, newest first, read page by page while somebody takes them. */
@Injectable()
export class VisitExportService {
  /** Exports that somebody still reads. */
  underWay = 0;

  constructor(
    private readonly timeline: TimelineRepository,
    @Inject(READING_LIMITS) private readonly limits: ReadingLimits,
  ) {}

  /**
   * Rejects when there is no first page; what comes later breaks the stream off. Whoever destroys it ends the work.
   *
   * @throws ProblemError 429 when too many are under way.
   */
  async open(projectId: string, filters: TimelineFilters, format: ExportFormat): Promise<Readable> {
    if (this.underWay >= this.limits.exports) throw tooManyExports(this.limits.exports);
    this.underWay += 1;
    const pages = this.pages(projectId, filters);
    try {
      const stream = Readable.from(this.text(await pages.next(), pages, format), { objectMode: false });
      // Also of a stream that nobody ever read.
      return stream.once('close', () => {
        this.underWay -= 1;
      });
    } catch (error) {
      this.underWay -= 1;
      throw error;
    }
  }

  private async *text(
    first: IteratorResult<string[], void>,
    pages: AsyncGenerator<string[], void>,
    format: ExportFormat,
  ): AsyncGenerator<string, void> {
    if (format === 'csv') yield CSV_HEADER;
    for (let page = first; !page.done; page = await pages.next()) {
      yield format === 'csv'
        ? page.value.map((document) => csvLine(JSON.parse(document) as EnrichedVisit)).join('')
        : page.value.map((document) => `${oneLine(document)}\n`).join('');
    }
  }

  private async *pages(projectId: string, filters: TimelineFilters): AsyncGenerator<string[], void> {
    let limit = FIRST_PAGE;
    for (let cursor: string | null | undefined; cursor !== null;) {
      const place = cursor === undefined ? null : readCursor(cursor);
      const { documents, nextCursor } = await this.timeline.page(projectId, { ...filters, limit, cursor: place });
      if (documents.length > 0) {
        const characters = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
        limit = Math.min(LARGEST_PAGE, Math.max(SMALLEST_PAGE, Math.floor(PAGE_CHARACTERS / characters)));
        yield documents;
      }
      cursor = nextCursor;
    }
  }
}

/** As it is stored; a client may have written it over several lines, which within JSON are nothing but spaces. */
const oneLine = (document: string): string => document.replaceAll(/[\r\n]+/g, ' ');
