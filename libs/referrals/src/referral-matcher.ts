import {
  headerOf,
  REFERRAL_SOURCES,
  type AssistantRecord,
  type HeaderValue,
  type Referral,
  type ReferralSource,
} from '#libs/contracts';

/** A request as a site reported it. */
interface ReferredRequest {
  /** With its query. */
  path: string;
  /** Names in any case. */
  headers: Record<string, HeaderValue>;
}

/** Characters of a host name in the DNS. */
const MAX_HOST_LENGTH = 253;
/** Whether a query may have one of the parameters that links carry: most have none. */
const MAY_HAVE_PARAMETER = /(?:source|ref)=/i;
const PARAMETER = /(?:^|&)(utm_source|source|ref)=([^&#]*)/gi;
const ADDRESS = /^(https?|android-app):\/\/(?:[^/?#@]*@)?([^/?#:@]+)/i;

/** Finds the assistant that a person followed a link of. Most requests cost a look at the query and at the header names. */
export class ReferralMatcher {
  private readonly byHost: ReadonlyMap<string, AssistantRecord>;
  private readonly byApp: ReadonlyMap<string, AssistantRecord>;
  private readonly byValue: ReadonlyMap<string, AssistantRecord>;

  /** @param assistants of which the first has what several claim. */
  constructor(assistants: readonly AssistantRecord[]) {
    const indexed = (member: 'hosts' | 'android_apps' | 'query_values') =>
      new Map(assistants.toReversed().flatMap((one) => one[member].map((text) => [text.toLowerCase(), one] as const)));
    this.byHost = indexed('hosts');
    this.byApp = indexed('android_apps');
    this.byValue = indexed('query_values');
  }

  /**
   * The first of `utm_source`, `source`, `ref` and the Referer that names an assistant; null where none does, and where
   * the link is on a page of the site itself: then the query only stayed in the address.
   *
   * @param hostNames of the site, in lower case; the host that was asked for is one, too.
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
    // Of a parameter that is there several times, the first counts.
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

  /** The most specific of the hosts that a name is, or is under. */
  private ofHost(name: string, source: ReferralSource): Referral | null {
    // What is longer is not a host, and would be looked up by each of its parts.
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

/** Without a port, and without the `www.` that sites answer to beside their name. */
const siteOf = (host: string): string => host.replace(/:\d+$/, '').replace(/^www\./, '');

function isOwn(host: string, hostNames: readonly string[], headers: Record<string, HeaderValue>): boolean {
  const asked = headerOf(headers, 'host') ?? headerOf(headers, ':authority') ?? '';
  return [...hostNames, asked.toLowerCase()].some((own) => siteOf(own) === siteOf(host));
}
