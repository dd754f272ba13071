import { Injectable } from '@nestjs/common';
import { agentId, type AgentsApi, checkAgent, checkAgents, type AgentRecord } from '#libs/catalog';
import {
  cursorCodec,
  isUuid,
  StoredText,
  type AgentImportResult,
  type AgentListItem,
  type addAgent,
  type AgentPage,
  type changeAgent,
  type exportAgents,
  type getAgent,
  type importAgents,
  type listAgents,
  type removeAgent,
  type Fault,
} from '#libs/contracts';
import { ProblemError, requireMatchingVersion, type OperationInput, type OperationOutput } from '#libs/platform';
import { CatalogService } from '../catalog/catalog.service.js';
import { AddressListsService } from '../lists/address-lists.service.js';
import { AgentsRepository } from './agents.repository.js';

const cursors = cursorCodec({ token: StoredText({ maxLength: 500 }) });

/** Reads and changes agents. Changes take effect in this process immediately and in others within 2 seconds. */
@Injectable()
export class AgentsService implements AgentsApi {
  constructor(
    private readonly agents: AgentsRepository,
    private readonly catalog: CatalogService,
    private readonly lists: AddressListsService,
  ) {}

  async list({ query: { cursor, ...query } }: OperationInput<typeof listAgents>): Promise<AgentPage> {
    const matchingAgents = await this.agents.list(query, cursor === null ? '' : readCursor(cursor));
    const agents = matchingAgents.slice(0, query.limit);
    const last = matchingAgents.length > query.limit ? agents.at(-1)! : null;
    return {
      agents,
      next_cursor: last === null ? null : cursors.write({ token: last.token }),
      catalog_version: this.catalog.current.version,
    };
  }

  async find({ params: { agent: key } }: OperationInput<typeof getAgent>): Promise<AgentListItem> {
    return this.findByKey(key);
  }

  private async findByKey(key: string): Promise<AgentListItem> {
    const agent = await this.agents.find(toAgentId(key));
    if (agent === null) throw agentNotFound();
    return agent;
  }

  async add({ body }: OperationInput<typeof addAgent>): Promise<AgentListItem> {
    const record = await this.validateAgent(body);
    if (!(await this.agents.add(record))) {
      throw new ProblemError(
        'conflict',
        `An agent with the token ${record.token} already exists. Change it, or choose another token.`,
      );
    }
    await this.applyChanges();
    return this.findByKey(record.token);
  }

  async change({ params, body }: OperationInput<typeof changeAgent>): Promise<AgentListItem> {
    const agent = await this.findByKey(params.agent);
    const record = await this.validateAgent(body);
    if (agentId(record.token) !== agent.id) {
      throw invalidAgent([{ pointer: '/token', detail: `must remain ${agent.token}: add a new agent instead` }]);
    }
    await this.agents.change(record, requireMatchingVersion);
    await this.applyChanges();
    return this.findByKey(agent.id);
  }

  async remove({ params }: OperationInput<typeof removeAgent>): Promise<void> {
    const outcome = await this.agents.remove(toAgentId(params.agent), requireMatchingVersion);
    if (outcome === 'unknown') throw agentNotFound();
    if (outcome === 'nothing') {
      throw new ProblemError('conflict', "Bundled agents can't be removed, and this one has no edits to revert.");
    }
    await this.applyChanges();
  }

  async import({ body }: OperationInput<typeof importAgents>): Promise<AgentImportResult> {
    const { records, faults } = await checkAgents(body, { others: this.catalog.source.agents });
    if (faults.length > 0) throw invalidAgent(faults);
    const counts = await this.agents.put(records);
    await this.applyChanges();
    return counts;
  }

  async export({ query }: OperationInput<typeof exportAgents>): Promise<OperationOutput<typeof exportAgents>> {
    // `AgentRecord` types some enum fields as plain strings. Stored agents are validated, so the cast is safe.
    return (await this.agents.all(query.origin === 'own')) as OperationOutput<typeof exportAgents>;
  }

  private async applyChanges(): Promise<void> {
    await this.catalog.reload();
    this.lists.scheduleRefresh();
  }

  private async validateAgent(body: unknown): Promise<AgentRecord> {
    const { records, faults } = await checkAgent(body, { others: this.catalog.source.agents });
    if (faults.length > 0) throw invalidAgent(faults);
    return records[0]!;
  }
}

const MAX_FAULTS = 100;

function invalidAgent(faults: readonly Fault[]): ProblemError {
  const [first] = faults;
  const suffix = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  const detail = `The agent is invalid: ${first!.pointer || 'the body'} ${first!.detail}${suffix}.`;
  return new ProblemError('invalid-body', detail, { errors: faults.slice(0, MAX_FAULTS) });
}

const agentNotFound = (): ProblemError => new ProblemError('not-found', "This agent doesn't exist.");

const toAgentId = (key: string): string => (isUuid(key) ? key.toLowerCase() : agentId(key));

function readCursor(cursor: string): string {
  const position = cursors.read(cursor);
  if (position !== null) return position.token;
  throw new ProblemError('invalid-body', 'The cursor is invalid. Omit it to start over.', {
    errors: [{ pointer: '/cursor', detail: 'is invalid. Omit it to start over' }],
  });
}
