import { Controller } from '@nestjs/common';
import { exportVisits } from '#libs/contracts';
import { createFileName } from '#libs/csv';
import { Handle, type RequestOf } from '#libs/platform';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { AgentBehaviorsRepository } from './agent-behaviors.repository.js';
import { VisitExportService } from './visit-export.service.js';

const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8; header=present', ndjson: 'application/x-ndjson' } as const;

@Controller()
export class VisitExportController {
  constructor(
    private readonly exports: VisitExportService,
    private readonly projects: ProjectsRepository,
    private readonly behaviors: AgentBehaviorsRepository,
  ) {}

  @Handle(exportVisits)
  async export({
    params: { id: projectId },
    query,
    principal,
    raw,
    reply,
  }: RequestOf<typeof exportVisits>): Promise<void> {
    const { format, ...filters } = await this.behaviors.resolve(query);
    const { name } = await this.projects.require(projectId);
    const toText = (time: number | null): string | undefined =>
      time === null ? undefined : new Date(time).toISOString();
    const file = createFileName(name, 'visits', { from: toText(filters.from), to: toText(filters.to) }, format);
    reply
      .header('content-type', MEDIA_TYPES[format])
      .header('content-disposition', `attachment; filename="${file}"`)
      .header('cache-control', 'no-store');
    // For a HEAD request, Fastify would read the entire stream.
    await reply.send(raw.method === 'HEAD' ? '' : await this.exports.open(principal, projectId, filters, format));
  }
}
