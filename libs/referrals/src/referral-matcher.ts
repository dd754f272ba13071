import {
  getHeader,
  REFERRAL_SOURCES,
  type AssistantRecord,
  type HeaderValue,
  type Referral,
  type ReferralSource,
} from '#libs/contracts';

interface ReferredRequest {
  /** Path including its query. */
  path: string;
  /** Header names are case-insensitive. */
  headers: Record<string, HeaderValue>;
}

/** Maximum length of a DNS host name. */
const MAX_HOST_LENGTH = 253;
/** Cheap check before parsing a query. Most queries contain none of the parameters. */
const POSSIBLE_PARAMETER = /(?:source|ref)=/i;
const PARAMETER = /(?:^|&)(utm_source|source|ref)=([^&#]*)/gi;
const REFERER_URL = /^(https?|android-app):\/\/(?:[^/?#@]*@)?([^/?#:@]+)/i;

/**
 * Finds the AI assistant whose link a visitor followed. Optimized for requests without a referral, which are by far the
 * most common.
 */
export class ReferralMatcher {
  private readonly byHost: ReadonlyMap<string, AssistantRecord>;
  private readonly byApp: ReadonlyMap<string, AssistantRecord>;
  private readonly byValue: ReadonlyMap<string, AssistantRecord>;

  /** @param assistants If several have the same host, app or query value, the first one wins. */
  constructor(assistants: readonly AssistantRecord[]) {
    const indexBy = (member: 'hosts' | 'android_apps' | 'query_values') =>
      new Map(
        assistants
          .toReversed()
          .flatMap((record) => record[member].map((text) => [text.toLowerCase(), record] as const)),
      );
    this.byHost = indexBy('hosts');
    this.byApp = indexBy('android_apps');
    this.byValue = indexBy('query_values');
  }

  /**
   * Returns the referral from the first of `utm_source`, `source`, `ref` and the Referer header that identifies an
   * assistant. Returns null if none does.
   *
   * Also returns null if the Referer is the site itself, because the parameter is then left over from an earlier page.
   *
   * @param hostNames Lowercase host names of the site. The requested host is always included.
   */
  find(request: ReferredRequest, hostNames: readonly string[]): Referral | null {
    const address = REFERER_URL.exec(getHeader(request.headers, 'referer')?.trim() ?? '');
    const host = address === null ? null : address[2]!.toLowerCase().replace(/\.$/, '');
    const match = this.findInQuery(request.path) ?? (host === null ? null : this.findInReferer(address![1]!, host));
    return match === null || (host !== null && isOwnSite(host, hostNames, request.headers)) ? null : match;
  }

  private findInQuery(path: string): Referral | null {
    const query = path.indexOf('?');
    if (query === -1 || !POSSIBLE_PARAMETER.test(path)) return null;
    const parameters: Partial<Record<string, string>> = {};
    // If a parameter is repeated, the first one counts.
    for (const [, name, text] of path.slice(query + 1).matchAll(PARAMETER)) parameters[name!.toLowerCase()] ??= text!;
    for (const source of REFERRAL_SOURCES) {
      const text = parameters[source];
      if (text === undefined) continue;
      const value = decodeValue(text);
      const assistant = this.byValue.get(value);
      const match = assistant === undefined ? this.findByHost(value, source) : toReferral(assistant, source, value);
      if (match !== null) return match;
    }
    return null;
  }

  private findInReferer(scheme: string, host: string): Referral | null {
    if (scheme.toLowerCase() !== 'android-app') return this.findByHost(host, 'referer');
    const app = this.byApp.get(host);
    return app === undefined ? null : toReferral(app, 'referer', host);
  }

  /** Finds the most specific known host that equals `name` or is one of its parent domains. */
  private findByHost(name: string, source: ReferralSource): Referral | null {
    // Longer text can't be a host name, and each of its parts would cost a lookup.
    if (name.length > MAX_HOST_LENGTH) return null;
    for (let host = name, dot = 0; dot !== -1; host = host.slice(dot + 1)) {
      const assistant = this.byHost.get(host);
      if (assistant !== undefined) return toReferral(assistant, source, host);
      dot = host.indexOf('.');
    }
    return null;
  }
}

const toReferral = ({ name, operator }: AssistantRecord, source: ReferralSource, value: string): Referral => ({
  assistant: name,
  operator,
  source,
  value,
});

function decodeValue(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced).trim().toLowerCase();
  } catch {
    return spaced.trim().toLowerCase();
  }
}

/** Removes the port and the `www.` prefix, which most sites also respond to. */
const normalizeHost = (host: string): string => host.replace(/:\d+$/, '').replace(/^www\./, '');

function isOwnSite(host: string, hostNames: readonly string[], headers: Record<string, HeaderValue>): boolean {
  const requestedHost = getHeader(headers, 'host') ?? getHeader(headers, ':authority') ?? '';
  return [...hostNames, requestedHost.toLowerCase()].some((ownHost) => normalizeHost(ownHost) === normalizeHost(host));
}
