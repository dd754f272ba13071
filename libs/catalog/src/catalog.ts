import { createHash } from 'node:crypto';
import { v5 as uuidv5 } from 'uuid';
import type { AgentDefinition, ProxyNetwork as NetworkDefinition, PublishedList } from '#libs/agents';
import type { AssistantRecord } from '#libs/contracts';

/** Known agent, in the format of the data file. */
export type Agent = AgentDefinition;

/** Agent without its ID, which {@link agentId} derives from the token. */
export type AgentRecord = Omit<Agent, 'id'>;

/** Proxy network, in the format of the data file. */
export interface ProxyNetwork extends NetworkDefinition {
  /** URLs of the operator's address lists. The README of the data files documents their formats. */
  list_urls: string[];
  format: string;
  /** CIDR blocks. */
  ranges: string[];
  /** Date of the bundled ranges. */
  ranges_as_of?: string;
  sources?: string[];
}

/** Address list published by a cloud or hosting provider. */
export interface DataCenterList {
  url: string;
  /** See the README of the data files. */
  format: string;
}

/** Key directory with preconfigured keys. It is never fetched. */
export interface PinnedDirectory {
  /** URL normalized by `toDirectoryUrl`. */
  url: string;
  /** Public keys in JWK format. */
  keys: object[];
}

/** All data needed for identification. Serializable as JSON. */
export interface Catalog {
  /**
   * Content hash of 16 hexadecimal digits. Covers agents, proxies, assistants, addresses and keys, but not the times at
   * which lists were fetched.
   */
  version: string;
  /** In catalog order. If several agents match equally well, the first wins. */
  agents: Agent[];
  proxies: ProxyNetwork[];
  /** Latest version of each operator's address lists. Empty until the first fetch. */
  lists: PublishedList[];
  /** Merged CIDR blocks of data centers. Empty until their lists are fetched. */
  dataCenterRanges: string[];
  directories: PinnedDirectory[];
  assistants: AssistantRecord[];
}

/** Must never change, because all agent IDs are derived from it. */
const AGENT_NAMESPACE = 'b16847c0-9369-44d7-8892-490e89e10b06';

/** Returns the ID of the agent with this token, ignoring case: a version 5 UUID (RFC 9562 section 5.5). */
export function agentId(token: string): string {
  return uuidv5(token.toLowerCase(), AGENT_NAMESPACE);
}

/** Must never change, because all assistant IDs are derived from it. */
const ASSISTANT_NAMESPACE = '5d0f4a1e-6a53-4d0b-9a7e-0c5f6d1b2e83';

/** Returns the ID of the assistant with this name, ignoring case: a version 5 UUID (RFC 9562 section 5.5). */
export function assistantId(name: string): string {
  return uuidv5(name.toLowerCase(), ASSISTANT_NAMESPACE);
}

export const addAgentId = (agent: Agent | AgentRecord): Agent =>
  'id' in agent ? agent : { ...agent, id: agentId(agent.token) };

export interface CatalogParts {
  /** In catalog order. Missing IDs are added. */
  agents: readonly (Agent | AgentRecord)[];
  proxies: readonly ProxyNetwork[];
  lists?: readonly PublishedList[];
  dataCenterRanges?: readonly string[];
  directories?: readonly PinnedDirectory[];
  /** In catalog order. If several assistants claim the same host, value or app, the first wins. */
  assistants?: readonly AssistantRecord[];
}

export function createCatalog(parts: CatalogParts): Catalog {
  const { agents: records, proxies, lists = [], dataCenterRanges = [], directories = [], assistants = [] } = parts;
  const agents = records.map(addAgentId);
  const ranges = lists.map((list) => ({ url: list.url, ranges: list.ranges }));
  const version = hashContent({ agents, proxies, ranges, dataCenterRanges, directories, assistants });
  return {
    version,
    agents,
    proxies: [...proxies],
    lists: [...lists],
    dataCenterRanges: [...dataCenterRanges],
    directories: [...directories],
    assistants: [...assistants],
  };
}

/** Sorts object members, because their order isn't part of the content. */
function hashContent(content: unknown): string {
  const text = JSON.stringify(content, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
