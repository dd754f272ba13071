import { Controller, Inject } from '@nestjs/common';
import {
  createStatement,
  getStatementKeys,
  MAX_STATEMENT_DAYS,
  replaceStatementKey,
  type StatementKey,
  type StatementKeySet,
} from '#libs/contracts';
import { createFileName } from '#libs/csv';
import { CLOCK, type Clock, Handle, invalidQueryError, type RequestOf } from '#libs/platform';
import type { TimeRange } from '#libs/visit-store';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { StatementKeysRepository } from './statement-keys.repository.js';
import { StatementsService } from './statements.service.js';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MEDIA_TYPES = { html: 'text/html; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

@Controller()
export class StatementsController {
  constructor(
    private readonly statements: StatementsService,
    private readonly keys: StatementKeysRepository,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(createStatement)
  async create({ params, query, principal, raw, reply }: RequestOf<typeof createStatement>): Promise<void> {
    const { format, addresses, operator } = query;
    if (operator === null) throw invalidQueryError([{ pointer: '/operator', detail: 'is required' }]);
    const range = resolveDays(query, this.now());
    const project = await this.projects.require(params.id);
    const toText = (time: number): string => new Date(time).toISOString();
    const days = { from: toText(range.from), to: toText(range.to - DAY_MS) };
    const file = createFileName(project.name, `statement ${operator}`, days, format);
    reply
      .header('content-type', MEDIA_TYPES[format])
      .header('content-disposition', `attachment; filename="${file}"`)
      .header('cache-control', 'no-store');
    const request = { operator, range, format, includesAddresses: addresses === 'include' };
    // For a HEAD request, Fastify would read the entire stream.
    await reply.send(raw.method === 'HEAD' ? '' : await this.statements.open(principal, project, request));
  }

  @Handle(getStatementKeys)
  async listKeys(): Promise<StatementKeySet> {
    return { keys: await this.keys.list() };
  }

  @Handle(replaceStatementKey)
  async replaceKey(): Promise<StatementKey> {
    return this.keys.replace();
  }
}

/**
 * Returns the requested range. Defaults to the last 30 full days.
 *
 * @throws {ProblemError} 422 if the range is empty, too long, or not over.
 */
function resolveDays(query: { from: number | null; to: number | null }, now: number): TimeRange {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const to = query.to ?? today;
  const from = query.from ?? to - DEFAULT_DAYS * DAY_MS;
  if (to > today) throw invalidQueryError([{ pointer: '/to', detail: 'must be today (UTC) or earlier' }]);
  const createFromError = (detail: string) => invalidQueryError([{ pointer: '/from', detail }]);
  if (from >= to) throw createFromError('must be before to');
  if (to - from > MAX_STATEMENT_DAYS * DAY_MS)
    throw createFromError(`must be at most ${MAX_STATEMENT_DAYS} days before to`);
  return { from, to };
}
