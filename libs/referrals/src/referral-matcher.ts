import {
  headerOf,
  REFERRAL_SOURCES,
  type AssistantRecord,
  type HeaderValue,
  type Referral,
  type ReferralSource,
} from '#libs/contracts';

interface ReferredRequest {
  /** Path with its query. */
  path: string;
  /** Header names can be in any case. */
  headers: Record<string, HeaderValue>;
}

/** Maximum length of a DNS host name. */
const MAX_HOST_LENGTH = 253;
/** Matches queries that may contain one of the parameters. Most contain none. */
const MAY_HAVE_PARAMETER = /(?:source|ref)=/i;
const PARAMETER = /(?:^|&)(utm_source|source|ref)=([^&#]*)/gi;
const ADDRESS = /^(https?|android-app):\/\/(?:[^/?#@]*@)?([^/?#:@]+)/i;

/** Finds the AI assistant whose link a visitor followed. Optimized for requests without a referral, the usual case. */
export class ReferralMatcher {
  private readonly byHost: ReadonlyMap<string, AssistantRecord>;
  private readonly byApp: ReadonlyMap<string, AssistantRecord>;
  private readonly byValue: ReadonlyMap<string, AssistantRecord>;

  /** @param assistants If several have the same host, app or query value, the first one wins. */
  constructor(assistants: readonly AssistantRecord[]) {
    const indexed = (member: 'hosts' | 'android_apps' | 'query_values') =>
      new Map(assistants.toReversed().flatMap((one) => one[member].map((text) => [text.toLowerCase(), one] as const)));
    this.byHost = indexed('hosts');
    this.byApp = indexed('android_apps');
    this.byValue = indexed('query_values');
  }

  /**
   * Returns the referral from the first of `utm_source`, `source`, `ref` and the Referer that names an assistant.
   * Returns null if none does. Also returns null if the Referer is the site itself, because the parameter is then left
   * over from an earlier page.
   *
   * @param hostNames Host names of the site, in lower case. The requested host always counts as one.
   */
  find(request: ReferredRequest, hostNames: readonly string[]): Referral | null {
    const address = ADDRESS.exec(headerOf(request.headers, 'referer')?.trim() ?? '');
    const host = address === null ? null : address[2]!.toLowerCase().replace(/\.$/, '');
    const found = this.inQuery(request.path) ?? (host === null ? null : this.inReferer(address![1]!, host));
    return found === null || (host !== null && isOwn(host, hostNames, request.headers)) ? null : found;
  }

  private inQuery(path: string): Referral | null {
    const query = path.indexOf('?');
    if (query === -1 || !MAY_HAVE_PARAMETER.test(path)) return null;
    const given: Partial<Record<string, string>> = {};
    // If a parameter is repeated, the first one counts.
    for (const [, name, text] of path.slice(query + 1).matchAll(PARAMETER)) given[name!.toLowerCase()] ??= text!;
    for (const source of REFERRAL_SOURCES) {
      const text = given[source];
      if (text === undefined) continue;
      const value = decoded(text);
      const assistant = this.byValue.get(value);
      const found = assistant === undefined ? this.ofHost(value, source) : referral(assistant, source, value);
      if (found !== null) return found;
    }
    return null;
  }

  private inReferer(scheme: string, host: string): Referral | null {
    if (scheme.toLowerCase() !== 'android-app') return this.ofHost(host, 'referer');
    const app = this.byApp.get(host);
    return app === undefined ? null : referral(app, 'referer', host);
  }

  /** Finds the most specific known host that equals `name` or is a parent domain of it. */
  private ofHost(name: string, source: ReferralSource): Referral | null {
    // Longer texts are not host names, and each of their parts would cost a lookup.
    if (name.length > MAX_HOST_LENGTH) return null;
    for (let host = name, dot = 0; dot !== -1; host = host.slice(dot + 1)) {
      const assistant = this.byHost.get(host);
      if (assistant !== undefined) return referral(assistant, source, host);
      dot = host.indexOf('.');
    }
    return null;
  }
}

const referral = ({ name, operator }: AssistantRecord, source: ReferralSource, value: string): Referral => ({
  assistant: name,
  operator,
  source,
  value,
});

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced).trim().toLowerCase();
  } catch {
    return spaced.trim().toLowerCase();
  }
}

/** Removes the port and the `www.` prefix, which most sites also respond to. */
const siteOf = (host: string): string => host.replace(/:\d+$/, '').replace(/^www\./, '');

function isOwn(host: string, hostNames: readonly string[], headers: Record<string, HeaderValue>): boolean {
  const asked = headerOf(headers, 'host') ?? headerOf(headers, ':authority') ?? '';
  return [...hostNames, asked.toLowerCase()].some((own) => siteOf(own) === siteOf(host));
}
