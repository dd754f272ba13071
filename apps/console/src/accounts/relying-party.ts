import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Site that passkeys are registered for (WebAuthn Level 3, section 4). */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * Returns the relying party for a request. This is the host of an https `PUBLIC_URL`, or localhost, where browsers
 * don't require HTTPS. Returns null for IP addresses and other plain HTTP hosts, because browsers don't support
 * passkeys there.
 */
export function toRelyingParty({ headers }: FastifyRequest, publicUrl: string): RelyingParty | null {
  const configuredUrl = new URL(publicUrl);
  if (configuredUrl.protocol === 'https:') {
    return isIP(configuredUrl.hostname.replaceAll(/[[\]]/g, '')) === 0
      ? { id: configuredUrl.hostname, origin: configuredUrl.origin }
      : null;
  }
  const localUrl = `http://${headers.host ?? ''}`;
  if (!URL.canParse(localUrl)) return null;
  const { hostname, origin } = new URL(localUrl);
  return hostname === 'localhost' ? { id: hostname, origin } : null;
}
