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
  /** Address of the connection, as the site's own server saw it. */
  peer?: string | null | undefined;
}

/** Answers within a second and a half: what can't be found out in that time isn't verifiable. */
export abstract class IdentificationApi {
  /**
   * Returns one result for each item, in their order.
   *
   * @param lookUpMs less time for look-ups than by default, in milliseconds.
   * @throws ProblemError 503 or 504 if the catalog doesn't respond.
   */
  abstract identify(
    items: readonly IdentificationItem[],
    site: SiteSettings,
    lookUpMs?: number,
  ): Promise<PublicIdentification[]>;
  /** With everything that the result rests on. @throws ProblemError 503 or 504 when nobody answers. */
  abstract explain(item: IdentificationItem, site: SiteSettings): Promise<Explanation>;
}

/** Reads and changes the list of agents. All throw ProblemError. */
export abstract class AgentsApi extends apiToken<typeof AGENT_OPERATIONS>() {}

/** Reads and changes the list of assistants. All throw ProblemError. */
export abstract class AssistantsApi extends apiToken<typeof ASSISTANT_OPERATIONS>() {}

/** Reads and changes the feeds that agents come from. All throw ProblemError. */
export abstract class FeedsApi extends apiToken<typeof FEED_OPERATIONS>() {}
