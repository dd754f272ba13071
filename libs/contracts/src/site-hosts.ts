interface SiteNames {
  /** In lower case, with the port if it isn't the default. */
  host_names: readonly string[];
  site_address: string | null;
}

/** Returns the hosts of a project's site in lower case. The first one is used for visits without a host. */
export function siteHosts({ host_names: names, site_address: address }: SiteNames): string[] {
  const host = URL.parse(address ?? '')?.host.toLowerCase();
  return [...new Set([...names, ...(host ? [host] : [])])];
}
