/** What a project says of where its site is. */
interface SiteNames {
  /** In lower case, with a port where it is not the usual one. */
  host_names: readonly string[];
  site_address: string | null;
}

/** Returns the hosts of a project's site, in lower case. The first is that of visits without one. */
export function siteHosts({ host_names: names, site_address: address }: SiteNames): string[] {
  const host = URL.parse(address ?? '')?.host.toLowerCase();
  return [...new Set([...names, ...(host ? [host] : [])])];
}
