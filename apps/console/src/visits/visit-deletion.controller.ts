import { Controller } from '@nestjs/common';
import { parseAddress } from '#libs/agents';
import { deleteVisits, visitDeletionCursor, type VisitDeletionResult } from '#libs/contracts';
import { Handle, invalidBody, recordDeed, type RequestOf } from '#libs/platform';
import { VisitDeletionRepository } from '#libs/visit-store';
import { ProjectsRepository } from '../projects/projects.repository.js';

/** Maximum duration of a request. The client continues with another one. */
const WORK_MS = 2_000;

@Controller()
export class VisitDeletionController {
  constructor(
    private readonly deletion: VisitDeletionRepository,
    private readonly projects: ProjectsRepository,
  ) {}

  @Handle(deleteVisits)
  async delete({ body }: RequestOf<typeof deleteVisits>): Promise<VisitDeletionResult> {
    const { address, project_id: projectId, cursor } = body;
    if (address === undefined && projectId === undefined) {
      throw invalidBody('', 'must have address or project_id, so that not everything is deleted');
    }
    const position = cursor === undefined ? undefined : visitDeletionCursor.read(cursor);
    if (position === null) throw invalidBody('/cursor', 'is invalid: omit it to start over');
    if (projectId !== undefined) await this.projects.require(projectId);
    const visits = {
      address: address === undefined ? null : parseAddress(address)!.text,
      projectId: projectId ?? null,
    };
    await recordDeed();
    const { next, ...result } = await this.deletion.delete(visits, position, WORK_MS);
    return { ...result, next_cursor: next && visitDeletionCursor.write(next) };
  }
}
