import {
  type AGENT_OPERATIONS,
  type ASSISTANT_OPERATIONS,
  type FEED_OPERATIONS,
  type Explanation,
  type HeaderValue,
  type PublicIdentification,
  type TrustedProxies,
} from '#libs/contracts';
import { apiToken } from '#libs/platform';

/** Project settings that affect identification. */
export interface SiteSettings {
  trustedProxies: TrustedProxies;
  /** Host names that a signature may be for. Empty: any host. */
  hostNames: readonly string[];
}

export interface IdentificationItem {
  method: string | null;
  path: string | null;
  headers: Record<string, HeaderValue>;
  /** IP address of the connection, as seen by the site's server. */
  peer?: string | null | undefined;
}

/** Identifies senders of requests within two seconds. An agent that can't be verified in that time isn't verifiable. */
export abstract class IdentificationApi {
  /**
   * Returns one result per item, in the same order.
   *
   * @param lookUpMs shorter time limit for lookups, in milliseconds.
   * @throws ProblemError 503 or 504 if the catalog service doesn't respond.
   */
  abstract identify(
    items: readonly IdentificationItem[],
    site: SiteSettings,
    lookUpMs?: number,
  ): Promise<PublicIdentification[]>;
  /**
   * Identifies the sender of one request and returns the evidence.
   *
   * @throws ProblemError 503 or 504 if the catalog service doesn't respond.
   */
  abstract explain(item: IdentificationItem, site: SiteSettings): Promise<Explanation>;
}

/** Manages the list of agents. All methods throw ProblemError. */
export abstract class AgentsApi extends apiToken<typeof AGENT_OPERATIONS>() {}

/** Manages the list of assistants. All methods throw ProblemError. */
export abstract class AssistantsApi extends apiToken<typeof ASSISTANT_OPERATIONS>() {}

/** Manages feeds of agents. All methods throw ProblemError. */
export abstract class FeedsApi extends apiToken<typeof FEED_OPERATIONS>() {}
