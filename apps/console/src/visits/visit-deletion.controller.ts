import { Controller } from '@nestjs/common';
import { parseAddress } from '#libs/agents';
import { deleteVisits, visitDeletionCursor, type VisitDeletionResult } from '#libs/contracts';
import { Handle, invalidBody, recordAuditEntry, type RequestOf } from '#libs/platform';
import { VisitDeletionRepository } from '#libs/visit-store';
import { ProjectsRepository } from '../projects/projects.repository.js';

/** Maximum time a request spends deleting. Clients continue with another request. */
const MAX_WORK_MS = 2_000;

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
      throw invalidBody('', 'must contain address or project_id, or else all visits would be deleted');
    }
    const position = cursor === undefined ? undefined : visitDeletionCursor.read(cursor);
    if (position === null) throw invalidBody('/cursor', 'is invalid. Omit it to start over');
    if (projectId !== undefined) await this.projects.require(projectId);
    const visits = {
      address: address === undefined ? null : parseAddress(address)!.text,
      projectId: projectId ?? null,
    };
    await recordAuditEntry();
    const { next, ...result } = await this.deletion.delete(visits, position, MAX_WORK_MS);
    return { ...result, next_cursor: next && visitDeletionCursor.write(next) };
  }
}
