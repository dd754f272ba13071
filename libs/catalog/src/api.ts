import {
  type ADDRESS_LIST_OPERATIONS,
  type AGENT_OPERATIONS,
  type ASSISTANT_OPERATIONS,
  type FEED_OPERATIONS,
  type Explanation,
  type HeaderValue,
  type PublicIdentification,
  type TrustedProxies,
} from '#libs/contracts';
import { createApiToken } from '#libs/platform';

/** Project settings that affect identification. */
export interface SiteSettings {
  trustedProxies: TrustedProxies;
  /** Hosts that signatures may cover. An empty list allows any host. */
  hostNames: readonly string[];
}

export interface IdentificationItem {
  method: string | null;
  path: string | null;
  headers: Record<string, HeaderValue>;
  /** IP address of the connection, as seen by the site's server. */
  peer?: string | null | undefined;
}

/** Identifies the senders of requests within two seconds. Agents not verified by then are `not_verifiable`. */
export abstract class IdentificationApi {
  /**
   * Returns one result per item, in the same order.
   *
   * @param lookupTimeoutMs Shorter time limit for lookups, in milliseconds.
   * @throws {ProblemError} 503 or 504 if the catalog service doesn't respond.
   */
  abstract identify(
    items: readonly IdentificationItem[],
    site: SiteSettings,
    lookupTimeoutMs?: number,
  ): Promise<PublicIdentification[]>;
  /**
   * Identifies the sender of one request and returns the evidence.
   *
   * @throws {ProblemError} 503 or 504 if the catalog service doesn't respond.
   */
  abstract explain(item: IdentificationItem, site: SiteSettings): Promise<Explanation>;
}

/** Catalog for sites that identify agents in their own process. */
export interface VersionedSnapshotCatalog {
  /** Content hash. */
  tag: string;
  /** `SnapshotCatalog` as JSON text. */
  json: string;
}

/** Provides the catalog for sites that identify agents in their own process. */
export abstract class SnapshotCatalogApi {
  /**
   * Returns the current catalog, or null if it still has the given tag.
   *
   * @throws {ProblemError} 503 or 504 if the catalog service doesn't respond.
   */
  abstract read(tag: string | null): Promise<VersionedSnapshotCatalog | null>;
}

/** Manages the catalog's agents. All methods throw `ProblemError`. */
export abstract class AgentsApi extends createApiToken<typeof AGENT_OPERATIONS>() {}

/** Manages the catalog's assistants. All methods throw `ProblemError`. */
export abstract class AssistantsApi extends createApiToken<typeof ASSISTANT_OPERATIONS>() {}

/** Manages address lists. All methods throw `ProblemError`. */
export abstract class AddressListsApi extends createApiToken<typeof ADDRESS_LIST_OPERATIONS>() {}

/** Manages agent feeds. All methods throw `ProblemError`. */
export abstract class FeedsApi extends createApiToken<typeof FEED_OPERATIONS>() {}
