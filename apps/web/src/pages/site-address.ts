/** What was typed as a site's address, with https where no scheme was; null for nothing. */
export function completeAddress(text: string): string | null {
  const address = text.trim();
  if (address === '') return null;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`;
}
