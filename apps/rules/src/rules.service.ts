import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import {
  CurrentCatalog,
  RulesApi,
  type CompiledCatalog,
  type ProjectRulesRequest,
  type RenderedRules,
} from '#libs/catalog';
import type { RobotsTxtRequest, UserAgentTokenListRequest } from '#libs/contracts';
import { robotsTxt } from './robots-txt.js';
import { selectAgents } from './selection.js';
import { TEXT, userAgentTokenList, type RenderedText } from './user-agent-token-list.js';

const KEPT_BYTES = 64 * 1024 * 1024;

const requests = new Counter({
  name: 'agent_traffic_rules_total',
  help: 'Requested rules; outcome: rendered or known (cached)',
  labelNames: ['kind', 'outcome'],
});

@Injectable()
export class RulesService extends RulesApi {
  /** Cached by catalog version and request. Entries of old versions are never requested again and get evicted. */
  private readonly rendered = new LRUCache<string, RenderedRules>({
    maxSize: KEPT_BYTES,
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

  private render(kind: string, request: object, make: (catalog: CompiledCatalog) => RenderedText): RenderedRules {
    const catalog = this.catalog.current;
    const key = hash('sha256', `${kind} ${catalog.version} ${JSON.stringify(request)}`, 'base64');
    const known = this.rendered.get(key);
    requests.inc({ kind, outcome: known === undefined ? 'rendered' : 'known' });
    if (known !== undefined) return known;
    const { mediaType, text } = make(catalog);
    const rules = { mediaType, content: Buffer.from(text), catalogVersion: catalog.version };
    this.rendered.set(key, rules);
    return rules;
  }
}
