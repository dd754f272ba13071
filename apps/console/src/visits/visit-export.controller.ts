import { Controller, Inject } from '@nestjs/common';
import { exportVisits } from '#libs/contracts';
import { CLOCK, type Clock, Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { VisitExportService } from './visit-export.service.js';

const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8; header=present', ndjson: 'application/x-ndjson' } as const;

@Controller()
export class VisitExportController {
  constructor(
    private readonly exports: VisitExportService,
    private readonly projects: ProjectsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /** The timeline as a file. */
  @Handle(exportVisits)
  async export({
    params: { id: projectId },
    query,
    principal,
    raw,
    reply,
  }: RequestOf<typeof exportVisits>): Promise<void> {
    const { format, ...filters } = query;
    await this.projects.require(projectId);
    const day = new Date(this.now()).toISOString().slice(0, 10);
    reply
      .header('content-type', MEDIA_TYPES[format])
      .header('content-disposition', `attachment; filename="visits-${day}.${format}"`)
      .header('cache-control', 'no-store');
    // For a HEAD, Fastify would read the whole stream to its end.
    await reply.send(raw.method === 'HEAD' ? '' : await this.exports.open(principal, projectId, filters, format));
  }
}
