import { Controller } from '@nestjs/common';
import { listVisits, getVisit } from '#libs/contracts';
import { Handle, notFound, type JsonText, type RequestOf } from '#libs/platform';
import { TimelineRepository } from '#libs/visit-store';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { AgentBehaviorsRepository } from './agent-behaviors.repository.js';

const PAGE_TIMEOUT_MS = 5_000;

@Controller()
export class VisitsController {
  constructor(
    private readonly timeline: TimelineRepository,
    private readonly reading: SnapshotReader,
    private readonly projects: ProjectsRepository,
    private readonly behaviors: AgentBehaviorsRepository,
  ) {}

  /** Sends the stored documents as text, without parsing them. */
  @Handle(listVisits)
  async page({ params: { id: projectId }, query }: RequestOf<typeof listVisits>): Promise<JsonText> {
    const filters = await this.behaviors.resolve(query);
    const page = await this.reading.read((snapshot) => this.timeline.page(projectId, filters, snapshot), {
      timeoutMs: PAGE_TIMEOUT_MS,
      // Live streams continue from the page, so it can't be older than they are.
      isLatest: true,
      timeoutDetail: 'The search took too long, because few visits match. Choose a shorter range with from and to.',
    });
    if (page.documents.length === 0) await this.projects.require(projectId);
    const cursors = { next_cursor: page.nextCursor, previous_cursor: page.previousCursor };
    return `{"visits":[${page.documents.join(',')}],${JSON.stringify(cursors).slice(1)}` as JsonText;
  }

  @Handle(getVisit)
  async find({ params: { id: projectId, visitId } }: RequestOf<typeof getVisit>): Promise<JsonText> {
    const document = await this.timeline.find(projectId, visitId);
    if (document === null) throw notFound('visit');
    return document as JsonText;
  }
}
