const WELL_KNOWN = '/.well-known/http-message-signatures-directory';

type DirectoryUrlFault = 'signature_agent_not_a_url' | 'signature_agent_not_https';

/**
 * Returns the normalized URL of the key directory that a Signature-Agent or catalog entry refers to.
 *
 * An origin refers to its well-known URL. Any other URL is used as is, but without its query string, so a directory's
 * URL is always spelled the same. Follows draft-ietf-webbotauth-httpsig-protocol-01, section 5.2, as interpreted by
 * deployed signers.
 */
export function toDirectoryUrl(text: string): { url: string } | { fault: DirectoryUrlFault } {
  const url = URL.parse(text);
  if (url === null) return { fault: 'signature_agent_not_a_url' };
  if (url.protocol !== 'https:') return { fault: 'signature_agent_not_https' };
  if (url.username !== '' || url.password !== '' || url.hash !== '') return { fault: 'signature_agent_not_a_url' };
  const path = url.pathname === '/' && url.search === '' ? WELL_KNOWN : url.pathname;
  return { url: `https://${url.host.replace(/\.$/, '')}${path}` };
}

/** Like {@link toDirectoryUrl}, but for a host name or URL in the catalog. Returns null if it is invalid. */
export function toListedDirectoryUrl(text: string): string | null {
  const result = toDirectoryUrl(text.includes('://') ? text : `https://${text}`);
  return 'url' in result ? result.url : null;
}
