/** What was typed as a site's address, with https where no scheme was; null for nothing. */
export function completeAddress(text: string): string | null {
  const address = text.trim();
  if (address === '') return null;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`;
}

/** What is wrong with a site's address as typed; null for a good one, and for none. */
export function addressFault(text: string): string | null {
  const address = completeAddress(text);
  if (address === null) return null;
  const url = URL.canParse(address) ? new URL(address) : null;
  // Chromium takes any host, and escapes what does not belong in it.
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && !url.hostname.includes('%');
  return isAddress ? null : 'Enter an address such as https://www.example.com.';
}

/** The name of a project for the site at an address as typed: its host, without `www.`; empty where that is not known. */
export function nameOfSite(text: string): string {
  const address = completeAddress(text);
  if (address === null || addressFault(text) !== null) return '';
  return new URL(address).hostname.replace(/^www\./, '');
}
