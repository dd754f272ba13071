import { Injectable } from '@nestjs/common';
import { assistantFaults, assistantId, type AssistantsApi } from '#libs/catalog';
import {
  isUuid,
  type addAssistant,
  type AssistantList,
  type AssistantListItem,
  type AssistantRecord,
  type changeAssistant,
  type getAssistant,
  type removeAssistant,
} from '#libs/contracts';
import { ProblemError, requireUnchanged, type AskOf } from '#libs/platform';
import { CatalogService } from '../catalog/catalog.service.js';
import { AssistantsRepository } from './assistants.repository.js';

/**
 * Reads and changes assistants. A change applies to this process before the call returns, and to others within 2
 * seconds.
 */
@Injectable()
export class AssistantsService implements AssistantsApi {
  constructor(
    private readonly assistants: AssistantsRepository,
    private readonly catalog: CatalogService,
  ) {}

  async list(): Promise<AssistantList> {
    return { assistants: await this.assistants.list() };
  }

  async find({ params }: AskOf<typeof getAssistant>): Promise<AssistantListItem> {
    return this.findByKey(params.assistant);
  }

  async add({ body }: AskOf<typeof addAssistant>): Promise<AssistantListItem> {
    if (!(await this.assistants.add(body, (all) => check(body, all)))) {
      throw new ProblemError(
        'conflict',
        `An assistant named ${body.name} already exists. Change it, or choose another name.`,
      );
    }
    await this.catalog.reload();
    return this.findByKey(body.name);
  }

  async change({ params, body }: AskOf<typeof changeAssistant>): Promise<AssistantListItem> {
    const { id, name } = await this.findByKey(params.assistant);
    if (assistantId(body.name) !== id) {
      throw invalid([{ pointer: '/name', detail: `must stay ${name}: add another assistant instead` }]);
    }
    const isChanged = await this.assistants.change(body, (assistant, all) => {
      requireUnchanged(assistant);
      check(body, all);
    });
    if (!isChanged) throw unknownAssistant();
    await this.catalog.reload();
    return this.findByKey(id);
  }

  async remove({ params }: AskOf<typeof removeAssistant>): Promise<void> {
    const outcome = await this.assistants.remove(idOf(params.assistant), requireUnchanged);
    if (outcome === 'unknown') throw unknownAssistant();
    if (outcome === 'nothing') {
      const detail = 'The assistant came with the release and was not changed: it cannot be removed.';
      throw new ProblemError('conflict', detail);
    }
    await this.catalog.reload();
  }

  private async findByKey(key: string): Promise<AssistantListItem> {
    const assistant = await this.assistants.find(idOf(key));
    if (assistant === null) throw unknownAssistant();
    return assistant;
  }
}

/** @throws ProblemError 422 if the record is invalid or conflicts with others. */
function check(record: AssistantRecord, all: readonly AssistantListItem[]): void {
  const others = all.filter(({ id }) => id !== assistantId(record.name));
  const faults = assistantFaults(record, others);
  if (faults.length > 0) throw invalid(faults);
}

function invalid(faults: ReturnType<typeof assistantFaults>): ProblemError {
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  const detail = `The assistant is not valid: ${first!.pointer} ${first!.detail}${more}.`;
  return new ProblemError('invalid-body', detail, { errors: faults });
}

const unknownAssistant = (): ProblemError => new ProblemError('not-found', 'There is no such assistant.');

const idOf = (key: string): string => (isUuid(key) ? key.toLowerCase() : assistantId(key));
