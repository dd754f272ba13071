import { Controller } from '@nestjs/common';
import { exportVisits } from '#libs/contracts';
import { fileName } from '#libs/csv';
import { Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { VisitExportService } from './visit-export.service.js';

const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8; header=present', ndjson: 'application/x-ndjson' } as const;

@Controller()
export class VisitExportController {
  constructor(
    private readonly exports: VisitExportService,
    private readonly projects: ProjectsRepository,
  ) {}

  @Handle(exportVisits)
  async export({
    params: { id: projectId },
    query,
    principal,
    raw,
    reply,
  }: RequestOf<typeof exportVisits>): Promise<void> {
    const { format, ...filters } = query;
    const { name } = await this.projects.require(projectId);
    const text = (time: number | null): string | undefined =>
      time === null ? undefined : new Date(time).toISOString();
    const file = fileName(name, 'visits', { from: text(filters.from), to: text(filters.to) }, format);
    reply
      .header('content-type', MEDIA_TYPES[format])
      .header('content-disposition', `attachment; filename="${file}"`)
      .header('cache-control', 'no-store');
    // Fastify would read the entire stream for a HEAD request.
    await reply.send(raw.method === 'HEAD' ? '' : await this.exports.open(principal, projectId, filters, format));
  }
}
