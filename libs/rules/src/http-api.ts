import { LRUCache } from 'lru-cache';
import {
  generateRobotsTxt,
  internal,
  listUserAgentTokens,
  type RobotsTxtRequest,
  type UserAgentTokenListRequest,
} from '#libs/contracts';
import type { InternalClient } from '#libs/platform';
import { RulesApi, type RenderedRules } from './api.js';

/** What the rules service serves to our other services. */
export const RULES_SERVICE_OPERATIONS = {
  robotsTxt: internal(generateRobotsTxt),
  userAgentTokenList: internal(listUserAgentTokens),
};

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
    return this.ask(RULES_SERVICE_OPERATIONS.robotsTxt.path, request);
  }

  userAgentTokenList(request: UserAgentTokenListRequest): Promise<RenderedRules> {
    return this.ask(RULES_SERVICE_OPERATIONS.userAgentTokenList.path, request);
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
