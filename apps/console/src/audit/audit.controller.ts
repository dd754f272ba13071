import { Controller } from '@nestjs/common';
import {
  auditCursor,
  exportAuditEntries,
  exportProjectAuditEntries,
  listAuditEntries,
  listProjectAuditEntries,
  type AuditPage,
} from '#libs/contracts';
import { createFileName } from '#libs/csv';
import { Handle, type RequestOf } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../access/principal.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { ExportLimiter } from '../visits/stream-limits.js';
import { withIdleTimeout } from '../visits/visit-export.service.js';
import { AUDIT_CSV_HEADER, toCsvLine } from './audit-csv.js';
import { AuditRepository, type AuditFilters } from './audit.repository.js';

const PAGE_ENTRIES = 500;
/** A client that stops reading is disconnected after this time. */
const IDLE_TIMEOUT_MS = 60_000;

@Controller()
export class AuditController {
  constructor(
    private readonly log: AuditRepository,
    private readonly projects: ProjectsRepository,
    private readonly limits: ExportLimiter,
  ) {}

  @Handle(listAuditEntries)
  async list({ query: { limit, cursor, ...filters } }: RequestOf<typeof listAuditEntries>): Promise<AuditPage> {
    return this.log.page(filters, limit, cursor);
  }

  @Handle(listProjectAuditEntries)
  async listForProject({
    params: { id: project },
    query,
  }: RequestOf<typeof listProjectAuditEntries>): Promise<AuditPage> {
    const { limit, cursor, ...filters } = query;
    await this.projects.require(project);
    return this.log.page({ ...filters, project }, limit, cursor);
  }

  @Handle(exportAuditEntries)
  async export({ query, principal, raw, reply }: RequestOf<typeof exportAuditEntries>): Promise<void> {
    await this.send({ raw, reply, principal }, 'instance', query);
  }

  @Handle(exportProjectAuditEntries)
  async exportForProject({
    params: { id: project },
    query,
    principal,
    raw,
    reply,
  }: RequestOf<typeof exportProjectAuditEntries>): Promise<void> {
    const { name } = await this.projects.require(project);
    await this.send({ raw, reply, principal }, name, { ...query, project });
  }

  private async send(
    { raw, reply, principal }: { raw: FastifyRequest; reply: FastifyReply; principal: Principal },
    owner: string,
    filters: AuditFilters,
  ): Promise<void> {
    reply
      .header('content-type', 'text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="${createFileName(owner, 'audit log', {}, 'csv')}"`)
      .header('cache-control', 'no-store');
    // Respond to HEAD requests without a stream, because Fastify would read the entire stream.
    if (raw.method === 'HEAD') return void (await reply.send(''));
    const release = this.limits.acquire(principal);
    try {
      // Fetch the first page before sending headers, so a database failure still results in a 503.
      const first = await this.log.page(filters, PAGE_ENTRIES, auditCursor.read(''));
      await reply.send(withIdleTimeout(IDLE_TIMEOUT_MS, this.lines(filters, first)).once('close', release));
    } catch (error) {
      release();
      throw error;
    }
  }

  private async *lines(filters: AuditFilters, first: AuditPage): AsyncGenerator<Buffer, void> {
    yield Buffer.from(AUDIT_CSV_HEADER);
    for (let page = first; ; page = await this.log.page(filters, PAGE_ENTRIES, auditCursor.read(page.next_cursor))) {
      yield Buffer.from(page.entries.map(toCsvLine).join(''));
      if (page.next_cursor === null) return;
    }
  }
}
