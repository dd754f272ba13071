import {
  generateRobotsTxt,
  internal,
  listUserAgentTokens,
  type RobotsTxtRequest,
  type UserAgentTokenListRequest,
} from '#libs/contracts';
import type { InternalClient } from '#libs/platform';
import { RulesApi, type ProjectRulesRequest, type RenderedRules } from './rules-api.js';

export const RULES_SERVICE_OPERATIONS = {
  robotsTxt: internal(generateRobotsTxt),
  userAgentTokenList: internal(listUserAgentTokens),
};

/** Response header with the version of the catalog that the rules are based on. */
export const CATALOG_VERSION = 'catalog-version';

/**
 * Client of the rules service. It doesn't cache responses: only the rules service knows when the catalog changes, and
 * it has its own cache. Identical concurrent requests share one call.
 */
export class HttpRulesApi extends RulesApi {
  private readonly calls = new Map<string, Promise<RenderedRules>>();

  constructor(private readonly client: InternalClient) {
    super();
  }

  robotsTxt(request: ProjectRulesRequest<RobotsTxtRequest>): Promise<RenderedRules> {
    return this.ask(RULES_SERVICE_OPERATIONS.robotsTxt.path, request);
  }

  userAgentTokenList(request: ProjectRulesRequest<UserAgentTokenListRequest>): Promise<RenderedRules> {
    return this.ask(RULES_SERVICE_OPERATIONS.userAgentTokenList.path, request);
  }

  private ask(path: string, request: object): Promise<RenderedRules> {
    const json = JSON.stringify(request);
    const key = `${path} ${json}`;
    const underWay = this.calls.get(key);
    if (underWay !== undefined) return underWay;
    const call = this.call(path, json).finally(() => this.calls.delete(key));
    this.calls.set(key, call);
    return call;
  }

  private async call(path: string, json: string): Promise<RenderedRules> {
    const { headers, content } = await this.client.exchange({ method: 'POST', path, json, isIdempotent: true });
    const version = headers[CATALOG_VERSION];
    return {
      mediaType: String(headers['content-type']),
      content,
      catalogVersion: version === undefined ? null : String(version),
    };
  }
}
