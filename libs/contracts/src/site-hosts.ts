interface SiteNames {
  /** Host names in lower case, with the port if it isn't the default. */
  host_names: readonly string[];
  site_address: string | null;
}

/** Returns the hosts of a project's site in lower case. Visits without a host are attributed to the first one. */
export function getSiteHosts({ host_names: names, site_address: address }: SiteNames): string[] {
  const host = URL.parse(address ?? '')?.host.toLowerCase();
  return [...new Set([...names, ...(host ? [host] : [])])];
}
