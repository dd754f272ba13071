import { Injectable } from '@nestjs/common';
import { findAssistantFaults, assistantId, type AssistantsApi } from '#libs/catalog';
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
import { ProblemError, requireMatchingVersion, type OperationInput } from '#libs/platform';
import { CatalogService } from '../catalog/catalog.service.js';
import { AssistantsRepository } from './assistants.repository.js';

/** Reads and changes assistants. Changes take effect in this process immediately and in others within 2 seconds. */
@Injectable()
export class AssistantsService implements AssistantsApi {
  constructor(
    private readonly assistants: AssistantsRepository,
    private readonly catalog: CatalogService,
  ) {}

  async list(): Promise<AssistantList> {
    return { assistants: await this.assistants.list() };
  }

  async find({ params }: OperationInput<typeof getAssistant>): Promise<AssistantListItem> {
    return this.findByKey(params.assistant);
  }

  async add({ body }: OperationInput<typeof addAssistant>): Promise<AssistantListItem> {
    if (!(await this.assistants.add(body, (all) => validateAssistant(body, all)))) {
      throw new ProblemError(
        'conflict',
        `An assistant named ${body.name} already exists. Change it, or choose another name.`,
      );
    }
    await this.catalog.reload();
    return this.findByKey(body.name);
  }

  async change({ params, body }: OperationInput<typeof changeAssistant>): Promise<AssistantListItem> {
    const { id, name } = await this.findByKey(params.assistant);
    if (assistantId(body.name) !== id) {
      throw invalidAssistant([{ pointer: '/name', detail: `must remain ${name}: add a new assistant instead` }]);
    }
    const isChanged = await this.assistants.change(body, (assistant, all) => {
      requireMatchingVersion(assistant);
      validateAssistant(body, all);
    });
    if (!isChanged) throw assistantNotFound();
    await this.catalog.reload();
    return this.findByKey(id);
  }

  async remove({ params }: OperationInput<typeof removeAssistant>): Promise<void> {
    const outcome = await this.assistants.remove(toAssistantId(params.assistant), requireMatchingVersion);
    if (outcome === 'unknown') throw assistantNotFound();
    if (outcome === 'nothing') {
      const detail = "Bundled assistants can't be removed, and this one has no edits to revert.";
      throw new ProblemError('conflict', detail);
    }
    await this.catalog.reload();
  }

  private async findByKey(key: string): Promise<AssistantListItem> {
    const assistant = await this.assistants.find(toAssistantId(key));
    if (assistant === null) throw assistantNotFound();
    return assistant;
  }
}

/** @throws {ProblemError} 422 if the record is invalid or conflicts with another assistant. */
function validateAssistant(record: AssistantRecord, all: readonly AssistantListItem[]): void {
  const others = all.filter(({ id }) => id !== assistantId(record.name));
  const faults = findAssistantFaults(record, others);
  if (faults.length > 0) throw invalidAssistant(faults);
}

function invalidAssistant(faults: ReturnType<typeof findAssistantFaults>): ProblemError {
  const [first] = faults;
  const suffix = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  const detail = `The assistant is invalid: ${first!.pointer} ${first!.detail}${suffix}.`;
  return new ProblemError('invalid-body', detail, { errors: faults });
}

const assistantNotFound = (): ProblemError => new ProblemError('not-found', "This assistant doesn't exist.");

const toAssistantId = (key: string): string => (isUuid(key) ? key.toLowerCase() : assistantId(key));
