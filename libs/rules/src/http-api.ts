import { LRUCache } from 'lru-cache';
import type { RobotsTxtRequest, UserAgentTokenListRequest } from '#libs/contracts';
import type { InternalClient } from '#libs/platform';
import { RulesApi, type RenderedRules } from './api.js';

/** Where the rules service answers. */
export const RULES_PATHS = {
  robotsTxt: '/internal/robots-txts',
  userAgentTokenList: '/internal/user-agent-token-lists',
} as const;

/** Bytes of answers that are kept, so that the same need not be sent again. */
const KEPT_BYTES = 16 * 1024 * 1024;

/**
 * Asks the rules service over HTTP, every time: it alone knows whether an answer still holds. Those who ask for the
 * same at the same time share one call, and what is known already is not sent again.
 */
export class HttpRulesApi extends RulesApi {
  private readonly calls = new Map<string, Promise<RenderedRules>>();
  private readonly kept = new LRUCache<string, RenderedRules>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ content }, key) => content.length + 2 * key.length + 200,
  });

  constructor(private readonly client: InternalClient) {
    super();
  }

  robotsTxt(request: RobotsTxtRequest): Promise<RenderedRules> {
    return this.ask(RULES_PATHS.robotsTxt, request);
  }

  userAgentTokenList(request: UserAgentTokenListRequest): Promise<RenderedRules> {
    return this.ask(RULES_PATHS.userAgentTokenList, request);
  }

  private ask(path: string, request: object): Promise<RenderedRules> {
    const json = JSON.stringify(request);
    const key = `${path} ${json}`;
    const underWay = this.calls.get(key);
    if (underWay !== undefined) return underWay;
    const call = this.call(key, path, json).finally(() => this.calls.delete(key));
    this.calls.set(key, call);
    return call;
  }

  private async call(key: string, path: string, json: string): Promise<RenderedRules> {
    const known = this.kept.get(key);
    const answer = await this.client.exchange({
      method: 'POST',
      path,
      json,
      isIdempotent: true,
      ifNoneMatch: known?.etag,
    });
    if (answer.status === 304 && known !== undefined) return known;
    const { etag, 'content-type': mediaType } = answer.headers;
    const rendered = { etag: String(etag), mediaType: String(mediaType), content: answer.content };
    this.kept.set(key, rendered);
    return rendered;
  }
}
