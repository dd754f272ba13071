import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import {
  CurrentCatalog,
  RulesApi,
  type AddressListRequest,
  type CompiledCatalog,
  type PolicyLimitsRequest,
  type ProjectRulesRequest,
  type RenderedRules,
} from '#libs/catalog';
import type { RobotsTxtRequest, UserAgentTokenListRequest } from '#libs/contracts';
import { addressList } from './address-list/index.js';
import { policyLimits } from './policy-limits/index.js';
import { robotsTxt } from './robots-txt.js';
import { selectAgents } from './selection.js';
import { JSON_TYPE, TEXT, userAgentTokenList, type RenderedText } from './user-agent-token-list.js';

const MAX_CACHE_BYTES = 64 * 1024 * 1024;

const requests = new Counter({
  name: 'agent_traffic_rules_total',
  help: 'Rules requests; outcome is rendered or known (cached)',
  labelNames: ['kind', 'outcome'],
});

@Injectable()
export class RulesService extends RulesApi {
  /** Rendered rules by request and catalog version. Entries for old versions are no longer used and get evicted. */
  private readonly rendered = new LRUCache<string, RenderedRules>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ content }) => content.length + 500,
  });

  constructor(private readonly catalog: CurrentCatalog) {
    super();
  }

  async robotsTxt(request: ProjectRulesRequest<RobotsTxtRequest>): Promise<RenderedRules> {
    return this.render('robots_txt', request, (catalog) => {
      const agents = selectAgents(catalog, request);
      return { mediaType: TEXT, text: robotsTxt(agents, request.disallow ?? '/', request.format ?? 'blocks', request) };
    });
  }

  async userAgentTokenList(request: ProjectRulesRequest<UserAgentTokenListRequest>): Promise<RenderedRules> {
    return this.render('user_agent_token_list', request, (catalog) =>
      userAgentTokenList(selectAgents(catalog, request), request.format ?? 'json', catalog),
    );
  }

  async addressList(request: AddressListRequest): Promise<RenderedRules> {
    return this.render('address_list', request, (catalog) =>
      addressList(selectAgents(catalog, request), request.format, catalog),
    );
  }

  async policyLimits(request: PolicyLimitsRequest): Promise<RenderedRules> {
    return this.render('policy_limits', request, (catalog) => ({
      mediaType: JSON_TYPE,
      text: JSON.stringify(policyLimits(request.rules, request.server, catalog)),
    }));
  }

  private render(kind: string, request: object, renderText: (catalog: CompiledCatalog) => RenderedText): RenderedRules {
    const catalog = this.catalog.current;
    const key = hash('sha256', `${kind} ${catalog.version} ${JSON.stringify(request)}`, 'base64');
    const cached = this.rendered.get(key);
    requests.inc({ kind, outcome: cached === undefined ? 'rendered' : 'known' });
    if (cached !== undefined) return cached;
    const { mediaType, text } = renderText(catalog);
    const rules = { mediaType, content: Buffer.from(text), catalogVersion: catalog.version };
    this.rendered.set(key, rules);
    return rules;
  }
}
