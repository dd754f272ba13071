import { Controller } from '@nestjs/common';
import { parseAddress } from '#libs/agents';
import { deleteVisits, visitDeletionCursor, type VisitDeletionResult } from '#libs/contracts';
import { Handle, invalidBody, recordDeed, type RequestOf } from '#libs/platform';
import { type DeletedVisits, FIRST_ID, VisitDeletionRepository } from '#libs/visit-store';
import { ProjectsRepository } from '../projects/projects.repository.js';

/** A request works for so long; the caller goes on with another one. */
const WORK_MS = 2_000;

/** How far it is, and since when the tables are looked through. */
interface DeletionCursor {
  table: string;
  after: string;
  since: number;
}

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
    return this.work(visits, position ?? { table: '', after: FIRST_ID, since: await this.deletion.time() });
  }

  private async work(visits: DeletedVisits, from: DeletionCursor): Promise<VisitDeletionResult> {
    const until = performance.now() + WORK_MS;
    const tables = await this.deletion.tables();
    const deleted = { visits: 0, dead_letters: 0, refused_requests: await this.deletion.refusedRequests(visits) };
    // A table that was dropped meanwhile is passed over. The first is not in the order of names.
    let index = from.table === '' ? 0 : tables.findIndex((name, at) => at > 0 && name >= from.table);
    if (from.table === tables[0]) index = 0;
    if (index === -1) index = tables.length;
    let after = tables[index] === from.table ? from.after : FIRST_ID;
    while (index < tables.length && performance.now() < until) {
      const table = tables[index]!;
      const step = await this.deletion.step(table, after, visits);
      deleted[table === 'dead_letters' ? 'dead_letters' : 'visits'] += step.deleted;
      if (step.last === null) index += 1;
      after = step.last ?? FIRST_ID;
    }
    let { since } = from;
    if (index === tables.length && tables.length > 1) {
      const time = await this.deletion.time();
      if (await this.deletion.haveMoved(visits, since)) [index, since] = [1, time];
    }
    const table = tables[index];
    return {
      deleted,
      // Reads the whole outbox, which takes its time while Kafka is away.
      waiting: table === undefined ? await this.deletion.waiting(visits) : 0,
      progress: index / tables.length,
      next_cursor: table === undefined ? null : visitDeletionCursor.write({ table, after, since }),
    };
  }
}
