import { createHash } from 'node:crypto';
import { v5 as uuidv5 } from 'uuid';
import type { AgentDefinition, ProxyNetwork as NetworkDefinition, PublishedList } from '#libs/agents';
import type { AssistantRecord } from '#libs/contracts';

/** A known agent, as the data file and the catalog's messages have it. */
export type Agent = AgentDefinition;

/** An agent whose id has not been worked out yet. */
export type AgentRecord = Omit<Agent, 'id'>;

/** A proxy network as the data file and the catalog's messages have it. */
export interface ProxyNetwork extends NetworkDefinition {
  /** Where the operator publishes its ranges, and in which shape; see the data's README. */
  list_urls: string[];
  format: string;
  /** CIDR blocks. */
  ranges: string[];
  /** Date of the ranges that come with a release. */
  ranges_as_of?: string;
  sources?: string[];
}

/** An address list that a cloud or hosting provider publishes. */
export interface DataCenterList {
  url: string;
  /** See the data's README. */
  format: string;
}

/** A key directory that is known beforehand, and never fetched. */
export interface PinnedDirectory {
  /** As `directoryUrl` gives it. */
  url: string;
  /** Public keys, as JWK. */
  keys: object[];
}

/** Everything identification needs to know, as data: JSON that can be stored and sent. */
export interface Catalog {
  /**
   * Hash of the content, 16 hexadecimal digits: equal versions hold equal agents, proxies, assistants, addresses and
   * keys. When a list was fetched isn't part of it.
   */
  version: string;
  /** In catalog order, which settles ties between patterns. */
  agents: Agent[];
  proxies: ProxyNetwork[];
  /** Address lists that operators publish, as they were last fetched; empty until then. */
  lists: PublishedList[];
  /** CIDR blocks of data centers, merged; empty until their lists have been fetched. */
  dataCenterRanges: string[];
  directories: PinnedDirectory[];
  /** Those that send people to sites. */
  assistants: AssistantRecord[];
}

/** Never to be changed: every agent's id follows from it. */
const AGENT_NAMESPACE = 'b16847c0-9369-44d7-8892-490e89e10b06';

/** The id of the agent with this token, ignoring case: a UUID of version 5 (RFC 9562 section 5.5). */
export function agentId(token: string): string {
  return uuidv5(token.toLowerCase(), AGENT_NAMESPACE);
}

/** Never to be changed: every assistant's id follows from it. */
const ASSISTANT_NAMESPACE = '5d0f4a1e-6a53-4d0b-9a7e-0c5f6d1b2e83';

/** The id of the assistant with this name, ignoring case: a UUID of version 5 (RFC 9562 section 5.5). */
export function assistantId(name: string): string {
  return uuidv5(name.toLowerCase(), ASSISTANT_NAMESPACE);
}

export interface CatalogParts {
  /** In catalog order. Ids that aren't given are worked out. */
  agents: readonly (Agent | AgentRecord)[];
  proxies: readonly ProxyNetwork[];
  lists?: readonly PublishedList[];
  dataCenterRanges?: readonly string[];
  directories?: readonly PinnedDirectory[];
  /** In catalog order: the first has what several claim. */
  assistants?: readonly AssistantRecord[];
}

/** Makes a catalog of its parts. */
export function catalogOf(parts: CatalogParts): Catalog {
  const { agents: records, proxies, lists = [], dataCenterRanges = [], directories = [], assistants = [] } = parts;
  const agents = records.map((record) => ('id' in record ? record : { ...record, id: agentId(record.token) }));
  const ranges = lists.map((list) => ({ url: list.url, ranges: list.ranges }));
  const version = contentHash({ agents, proxies, ranges, dataCenterRanges, directories, assistants });
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

/** Members are sorted, because the order in which a database or a file gives them isn't content. */
function contentHash(content: unknown): string {
  const text = JSON.stringify(content, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
