import {
  generateRobotsTxt,
  operation,
  toInternal,
  listUserAgentTokens,
  type RobotsTxtRequest,
  type UserAgentTokenListRequest,
} from '#libs/contracts';
import type { InternalClient } from '#libs/platform';
import { Type } from 'typebox';
import {
  RulesApi,
  type AddressListRequest,
  type PolicyLimitsRequest,
  type ProjectRulesRequest,
  type RenderedRules,
} from './rules-api.js';

export const RULES_SERVICE_OPERATIONS = {
  robotsTxt: toInternal(generateRobotsTxt),
  userAgentTokenList: toInternal(listUserAgentTokens),
  // Bodies come from this project's own services, so they aren't validated.
  addressList: operation({
    method: 'post',
    path: '/internal/address-lists',
    id: 'listAddressRanges',
    access: 'internal',
    tag: 'Rules',
    summary: 'List the address ranges that agents are verified by',
    body: Type.Unsafe<AddressListRequest>({}),
  }),
  policyLimits: operation({
    method: 'post',
    path: '/internal/policy-limits',
    id: 'renderInternalPolicyLimits',
    access: 'internal',
    tag: 'Rules',
    summary: 'Render the limits of rules as server configuration',
    body: Type.Unsafe<PolicyLimitsRequest>({}),
  }),
};

/** Response header with the version of the catalog that the rules are based on. */
export const CATALOG_VERSION_HEADER = 'catalog-version';

/**
 * Client for the rules service. Doesn't cache responses: the rules service has its own cache, and only it notices
 * catalog changes. Identical concurrent requests share one call.
 */
export class HttpRulesApi extends RulesApi {
  private readonly callsInFlight = new Map<string, Promise<RenderedRules>>();

  constructor(private readonly client: InternalClient) {
    super();
  }

  robotsTxt(request: ProjectRulesRequest<RobotsTxtRequest>): Promise<RenderedRules> {
    return this.fetchShared(RULES_SERVICE_OPERATIONS.robotsTxt.path, request);
  }

  userAgentTokenList(request: ProjectRulesRequest<UserAgentTokenListRequest>): Promise<RenderedRules> {
    return this.fetchShared(RULES_SERVICE_OPERATIONS.userAgentTokenList.path, request);
  }

  addressList(request: AddressListRequest): Promise<RenderedRules> {
    return this.fetchShared(RULES_SERVICE_OPERATIONS.addressList.path, request);
  }

  policyLimits(request: PolicyLimitsRequest): Promise<RenderedRules> {
    return this.fetchShared(RULES_SERVICE_OPERATIONS.policyLimits.path, request);
  }

  private fetchShared(path: string, request: object): Promise<RenderedRules> {
    const json = JSON.stringify(request);
    const key = `${path} ${json}`;
    const inFlight = this.callsInFlight.get(key);
    if (inFlight !== undefined) return inFlight;
    const call = this.fetchRules(path, json).finally(() => this.callsInFlight.delete(key));
    this.callsInFlight.set(key, call);
    return call;
  }

  private async fetchRules(path: string, json: string): Promise<RenderedRules> {
    const { headers, content } = await this.client.exchange({ method: 'POST', path, json, isIdempotent: true });
    const version = headers[CATALOG_VERSION_HEADER];
    return {
      mediaType: String(headers['content-type']),
      content,
      catalogVersion: version === undefined ? null : String(version),
    };
  }
}
