import type {
  AgentImportResult,
  AgentListItem,
  AgentPage,
  Explanation,
  HeaderValue,
  PublicIdentification,
  TrustedProxies,
} from '#libs/contracts';
import type { AgentRecord } from './catalog.js';

/** What a project says about its site, as far as an identification depends on it. */
export interface SiteSettings {
  trustedProxies: TrustedProxies;
  /** Empty accepts a signature for any host. */
  hostNames: readonly string[];
}

/** A request that somebody wants to know the sender of. */
export interface IdentificationItem {
  method: string | null;
  path: string | null;
  headers: Record<string, HeaderValue>;
  /** Address of the connection, as the site's own server saw it. Not sent by services of the release before. */
  peer?: string | null | undefined;
}

/** Answers within a second and a half: what can't be found out in that time isn't verifiable. */
export abstract class IdentificationApi {
  /** One result for each item, in their order. @throws ProblemError 503 or 504 when nobody answers. */
  abstract identify(items: readonly IdentificationItem[], site: SiteSettings): Promise<PublicIdentification[]>;
  /** With everything that the result rests on. @throws ProblemError 503 or 504 when nobody answers. */
  abstract explain(item: IdentificationItem, site: SiteSettings): Promise<Explanation>;
}

export interface AgentQuery {
  /** Part of token, operator or robots.txt token, ignoring case. */
  search?: string;
  types?: readonly string[];
  operators?: readonly string[];
  origin?: 'bundled' | 'own';
  limit: number;
  /** From an earlier page. */
  cursor?: string;
}

/** Reads and changes the list of agents. `key` is a token, ignoring case, or an id. All throw ProblemError. */
export abstract class AgentsApi {
  abstract list(query: AgentQuery): Promise<AgentPage>;
  /** 404 for no such agent. */
  abstract find(key: string): Promise<AgentListItem>;
  /** 409 when the token is taken, 422 for what is no agent. */
  abstract add(record: unknown): Promise<AgentListItem>;
  abstract replace(key: string, record: unknown): Promise<AgentListItem>;
  /** Undoes the changes of an agent that came with the release; 409 when there are none. */
  abstract remove(key: string): Promise<void>;
  /** All or, with a fault in one of them, none. */
  abstract import(records: unknown): Promise<AgentImportResult>;
  abstract export(origin: 'own' | 'all'): Promise<AgentRecord[]>;
}
