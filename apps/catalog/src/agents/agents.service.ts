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
import { ProblemError, requireUnchanged, type AskOf, type JsonOf } from '#libs/platform';
import { CatalogService } from '../catalog/catalog.service.js';
import { AddressListsService } from '../lists/address-lists.service.js';
import { AgentsRepository } from './agents.repository.js';

const cursors = cursorCodec({ token: StoredText({ maxLength: 500 }) });

/**
 * Reads and changes agents. A change applies to this process before the call returns, and to others within 2 seconds.
 */
@Injectable()
export class AgentsService implements AgentsApi {
  constructor(
    private readonly agents: AgentsRepository,
    private readonly catalog: CatalogService,
    private readonly lists: AddressListsService,
  ) {}

  async list({ query: { cursor, ...query } }: AskOf<typeof listAgents>): Promise<AgentPage> {
    const found = await this.agents.list(query, cursor === null ? '' : readCursor(cursor));
    const agents = found.slice(0, query.limit);
    const last = found.length > query.limit ? agents.at(-1)! : null;
    return {
      agents,
      next_cursor: last === null ? null : cursors.write({ token: last.token }),
      catalog_version: this.catalog.current.version,
    };
  }

  async find({ params: { agent: key } }: AskOf<typeof getAgent>): Promise<AgentListItem> {
    return this.findByKey(key);
  }

  private async findByKey(key: string): Promise<AgentListItem> {
    const agent = await this.agents.find(idOf(key));
    if (agent === null) throw unknownAgent();
    return agent;
  }

  async add({ body }: AskOf<typeof addAgent>): Promise<AgentListItem> {
    const record = this.checkedOne(body);
    if (!(await this.agents.add(record))) {
      throw new ProblemError(
        'conflict',
        `An agent with the token ${record.token} already exists. Change it, or choose another token.`,
      );
    }
    await this.takeUp();
    return this.findByKey(record.token);
  }

  async change({ params, body }: AskOf<typeof changeAgent>): Promise<AgentListItem> {
    const agent = await this.findByKey(params.agent);
    const record = this.checkedOne(body);
    if (agentId(record.token) !== agent.id) {
      throw invalid([{ pointer: '/token', detail: `must stay ${agent.token}: add another agent instead` }]);
    }
    await this.agents.change(record, requireUnchanged);
    await this.takeUp();
    return this.findByKey(agent.id);
  }

  async remove({ params }: AskOf<typeof removeAgent>): Promise<void> {
    const outcome = await this.agents.remove(idOf(params.agent), requireUnchanged);
    if (outcome === 'unknown') throw unknownAgent();
    if (outcome === 'nothing') {
      throw new ProblemError('conflict', 'The agent came with the release and was not changed: it cannot be removed.');
    }
    await this.takeUp();
  }

  async import({ body }: AskOf<typeof importAgents>): Promise<AgentImportResult> {
    const { records, faults } = checkAgents(body, { others: this.catalog.source.agents });
    if (faults.length > 0) throw invalid(faults);
    const counts = await this.agents.put(records);
    await this.takeUp();
    return counts;
  }

  async export({ query }: AskOf<typeof exportAgents>): Promise<JsonOf<typeof exportAgents>> {
    // Some fields of `AgentRecord` are typed as plain strings. Stored agents are validated, so the cast is safe.
    return (await this.agents.all(query.origin === 'own')) as JsonOf<typeof exportAgents>;
  }

  private async takeUp(): Promise<void> {
    await this.catalog.reload();
    this.lists.refreshSoon();
  }

  private checkedOne(body: unknown): AgentRecord {
    const { records, faults } = checkAgent(body, { others: this.catalog.source.agents });
    if (faults.length > 0) throw invalid(faults);
    return records[0]!;
  }
}

const MAX_FAULTS = 100;

function invalid(faults: readonly Fault[]): ProblemError {
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  const detail = `The agent is not valid: ${first!.pointer || 'the body'} ${first!.detail}${more}.`;
  return new ProblemError('invalid-body', detail, { errors: faults.slice(0, MAX_FAULTS) });
}

const unknownAgent = (): ProblemError => new ProblemError('not-found', 'There is no such agent.');

const idOf = (key: string): string => (isUuid(key) ? key.toLowerCase() : agentId(key));

function readCursor(cursor: string): string {
  const place = cursors.read(cursor);
  if (place !== null) return place.token;
  throw new ProblemError('invalid-body', 'The cursor is not valid. Start again without one.', {
    errors: [{ pointer: '/cursor', detail: 'is invalid: omit it to start over' }],
  });
}
