const WELL_KNOWN = '/.well-known/http-message-signatures-directory';

/** Why a Signature-Agent names no directory. */
type DirectoryUrlFault = 'signature_agent_not_a_url' | 'signature_agent_not_https';

/**
 * The address of the key directory that a Signature-Agent, or an entry of the catalog, names: an origin stands for
 * its well-known address, anything else for itself; normalized, and without its query, so that equal ones are equal texts.
 * draft-ietf-webbotauth-httpsig-protocol-01 section 5.2 with the reading of deployed signers.
 */
export function directoryUrl(text: string): { url: string } | { fault: DirectoryUrlFault } {
  const url = URL.parse(text);
  if (url === null) return { fault: 'signature_agent_not_a_url' };
  if (url.protocol !== 'https:') return { fault: 'signature_agent_not_https' };
  if (url.username !== '' || url.password !== '' || url.hash !== '') return { fault: 'signature_agent_not_a_url' };
  const path = url.pathname === '/' && url.search === '' ? WELL_KNOWN : url.pathname;
  return { url: `https://${url.host.replace(/\.$/, '')}${path}` };
}

/** As {@link directoryUrl}, for the host names and addresses of a catalog; `null` when it can't be read. */
export function listedDirectoryUrl(text: string): string | null {
  const result = directoryUrl(text.includes('://') ? text : `https://${text}`);
  return 'url' in result ? result.url : null;
}
