import {
  generateRobotsTxt,
  internal,
  listUserAgentTokens,
  type RobotsTxtRequest,
  type UserAgentTokenListRequest,
} from '#libs/contracts';
import type { InternalClient } from '#libs/platform';
import { RulesApi, type ProjectRulesRequest, type RenderedRules } from './rules-api.js';

/** What the rules service serves to our other services. */
export const RULES_SERVICE_OPERATIONS = {
  robotsTxt: internal(generateRobotsTxt),
  userAgentTokenList: internal(listUserAgentTokens),
};

/** Header of its answers: version of the catalog that they were made with. */
export const CATALOG_VERSION = 'catalog-version';

/**
 * Asks the rules service over HTTP, every time: it alone follows the catalog, and keeps what it rendered. Those who ask
 * for the same at the same time share one call.
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
