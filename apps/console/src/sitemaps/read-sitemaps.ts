import { getPage, MAX_LISTED_PAGES } from '#libs/contracts';
import { fetchSitemap, type EgressPolicy, type SitemapFault } from '#libs/evidence';
import { parseRobotsSignals } from '#libs/robots';
import { MAX_SITEMAP_BYTES, parseSitemap, type ParsedSitemap } from '#libs/sitemaps';
import type { ClaimedProject, ListedPage, SitemapsRead } from './sitemaps.repository.js';

/** Maximum number of sitemaps per project, including index files. */
const MAX_SITEMAPS = 500;
const MAX_FAULT_LENGTH = 500;
const MAX_URL_LENGTH = 2_048;
/** Maximum length of a page, as for counted pages. */
const MAX_PAGE_LENGTH = 500;

interface ReadOptions {
  /** Returns the policy for a URL on one of the project's hosts. */
  createPolicy: (url: URL) => EgressPolicy;
  /**
   * If true, sitemaps must be on the host that lists them, and redirects aren't followed to other paths. Otherwise,
   * people could choose the pages that are requested on private networks.
   */
  isPrivateNetwork: boolean;
  /** Aborted when the time is up. Sitemaps that haven't been read by then have a fault. */
  signal: AbortSignal;
}

/** Adds the pages in sitemaps, up to the limit. */
export class PageList {
  private readonly pages = new Map<string, ListedPage>();

  constructor(private readonly hosts: readonly string[]) {}

  get listed(): ListedPage[] {
    return [...this.pages.values()];
  }

  /** @returns Number of URLs that aren't on the project's hosts, or over the limit. */
  add({ entries }: ParsedSitemap): number {
    let ignored = 0;
    for (const { url: text, lastModified } of entries) {
      const url = URL.parse(text);
      if (url === null || !/^https?:$/.test(url.protocol) || !this.hosts.includes(url.host)) {
        ignored += 1;
        continue;
      }
      const page = getPage(url.pathname).slice(0, MAX_PAGE_LENGTH);
      if (!this.pages.has(page) && this.pages.size === MAX_LISTED_PAGES) ignored += 1;
      else this.pages.set(page, { page, host: url.host, lastModified: toTime(lastModified) });
    }
    return ignored;
  }
}

/** Parses a date in W3C format. Returns null if it's missing or invalid, or if PostgreSQL can't read the year. */
function toTime(text: string | null): string | null {
  if (text === null || !/^\d{4}-\d\d/.test(text)) return null;
  const time = new Date(text);
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9_999 ? time.toISOString() : null;
}

interface QueuedSitemap {
  url: URL;
  /** True if it's in an index file, which can't list other index files. */
  isChild: boolean;
  /** True for `/sitemap.xml` of a host whose robots.txt lists no sitemaps. The file might not exist. */
  isDefault: boolean;
}

/** Reads a project's sitemaps: those in robots.txt, or `/sitemap.xml` on hosts whose robots.txt lists none. */
export async function readSitemaps(project: ClaimedProject, options: ReadOptions): Promise<SitemapsRead> {
  const pages = new PageList(project.hosts);
  const sitemaps: SitemapsRead['sitemaps'] = [];
  const seen = new Set<string>();
  const queue: QueuedSitemap[] = [];
  let isComplete = true;
  const add = (text: string, listingHost: string, { isChild = false, isDefault = false } = {}): boolean => {
    const url = URL.parse(text);
    if (url === null || text.length > MAX_URL_LENGTH || !/^https?:$/.test(url.protocol)) return false;
    url.hash = '';
    const isAllowed = options.isPrivateNetwork ? url.host === listingHost : project.hosts.includes(url.host);
    if (!isAllowed || (!seen.has(url.href) && seen.size === MAX_SITEMAPS)) return false;
    if (!seen.has(url.href)) queue.push({ url, isChild, isDefault });
    seen.add(url.href);
    return true;
  };
  for (const host of project.hosts) {
    const listed = listInRobots(project.robots.get(host) ?? '');
    const scheme = project.siteAddress?.toLowerCase().startsWith('http:') ? 'http' : 'https';
    if (listed.length === 0) add(`${scheme}://${host}/sitemap.xml`, host, { isDefault: true });
    for (const text of listed) {
      if (add(text, host)) continue;
      const fault = "is in robots.txt, but not on the project's hosts, or over the limit";
      const url = text.slice(0, MAX_URL_LENGTH);
      if (sitemaps.every((sitemap) => sitemap.url !== url)) {
        sitemaps.push({ url, is_index: false, entries: 0, ignored: 0, fault, line: null });
      }
    }
  }
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { url, isChild, isDefault } = next;
    const content = await fetchContent(url, options, project.hosts);
    const isFetched = Buffer.isBuffer(content);
    if (!isFetched && isDefault && content.isMissing) continue;
    isComplete &&= isFetched || !content.isTemporary;
    const parsed = isFetched
      ? await parseSitemap(content)
      : { isIndex: false, entries: [], fault: content.message, line: null };
    const sitemap = { url: url.href, is_index: parsed.isIndex, entries: parsed.entries.length, ignored: 0 };
    if (!parsed.isIndex) sitemap.ignored = pages.add(parsed);
    else if (!isChild) {
      sitemap.ignored = parsed.entries.filter((entry) => !add(entry.url, url.host, { isChild: true })).length;
    }
    const { fault, line } = parsed.isIndex && isChild ? NESTED_INDEX : parsed;
    sitemaps.push({ ...sitemap, fault: fault?.slice(0, MAX_FAULT_LENGTH) ?? null, line });
  }
  return { sitemaps, pages: pages.listed, isComplete };
}

const NESTED_INDEX = { fault: 'is an index in another index, so its sitemaps are not read', line: null };

const listInRobots = (text: string): string[] =>
  parseRobotsSignals(Buffer.from(text), Infinity).flatMap(({ kind, url }) =>
    kind === 'sitemap' && url !== null ? [url] : [],
  );

async function fetchContent(
  url: URL,
  { createPolicy, isPrivateNetwork, signal }: ReadOptions,
  hosts: readonly string[],
): Promise<Buffer | SitemapFault> {
  if (signal.aborted) {
    const message = 'was not read, because reading all sitemaps took too long';
    return { message, isTemporary: true, isMissing: false };
  }
  const isAllowed = (next: URL): boolean =>
    hosts.includes(next.host) && (!isPrivateNetwork || next.pathname === url.pathname);
  return fetchSitemap(url.href, createPolicy(url), { maxBytes: MAX_SITEMAP_BYTES, isAllowed, signal });
}
