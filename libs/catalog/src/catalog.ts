import { createHash } from 'node:crypto';
import { v5 as uuidv5 } from 'uuid';
import type { AgentDefinition, ProxyNetwork as NetworkDefinition, PublishedList } from '#libs/agents';
import type { AssistantRecord } from '#libs/contracts';

/** A known agent, in the format of the data file. */
export type Agent = AgentDefinition;

/** An agent without its ID, which {@link agentId} derives from the token. */
export type AgentRecord = Omit<Agent, 'id'>;

/** A proxy network, in the format of the data file. */
export interface ProxyNetwork extends NetworkDefinition {
  /** URLs of the operator's address lists. See the README of the data files for their formats. */
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

/** Key directory with configured keys. It is never fetched. */
export interface PinnedDirectory {
  /** Normalized by `directoryUrl`. */
  url: string;
  /** Public keys in JWK format. */
  keys: object[];
}

/** All data that identification needs. It can be serialized as JSON. */
export interface Catalog {
  /**
   * Hash of the content: 16 hexadecimal digits. It covers agents, proxies, assistants, addresses and keys, but not the
   * time at which lists were fetched.
   */
  version: string;
  /** In catalog order. If patterns tie, the first agent wins. */
  agents: Agent[];
  proxies: ProxyNetwork[];
  /** Last fetched version of each operator's address lists. Empty until the first fetch. */
  lists: PublishedList[];
  /** Merged CIDR blocks of data centers. Empty until their lists are fetched. */
  dataCenterRanges: string[];
  directories: PinnedDirectory[];
  assistants: AssistantRecord[];
}

/** Must never change: all agent IDs are derived from it. */
const AGENT_NAMESPACE = 'b16847c0-9369-44d7-8892-490e89e10b06';

/** Returns the ID of the agent with a token, ignoring case: a version 5 UUID (RFC 9562 section 5.5). */
export function agentId(token: string): string {
  return uuidv5(token.toLowerCase(), AGENT_NAMESPACE);
}

/** Must never change: all assistant IDs are derived from it. */
const ASSISTANT_NAMESPACE = '5d0f4a1e-6a53-4d0b-9a7e-0c5f6d1b2e83';

/** Returns the ID of the assistant with a name, ignoring case: a version 5 UUID (RFC 9562 section 5.5). */
export function assistantId(name: string): string {
  return uuidv5(name.toLowerCase(), ASSISTANT_NAMESPACE);
}

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

/** Object members are sorted, because their order isn't part of the content. */
function contentHash(content: unknown): string {
  const text = JSON.stringify(content, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
