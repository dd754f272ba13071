import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Site that passkeys are registered for (WebAuthn Level 3, section 4). */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * Returns the relying party of a request: the host of an https `PUBLIC_URL`, or localhost, where browsers don't require
 * HTTPS. Returns null for IP addresses and other plain HTTP hosts, because browsers don't allow passkeys there.
 */
export function relyingPartyOf({ headers }: FastifyRequest, publicUrl: string): RelyingParty | null {
  const own = new URL(publicUrl);
  if (own.protocol === 'https:') {
    return isIP(own.hostname.replaceAll(/[[\]]/g, '')) === 0 ? { id: own.hostname, origin: own.origin } : null;
  }
  const local = `http://${headers.host ?? ''}`;
  if (!URL.canParse(local)) return null;
  const { hostname, origin } = new URL(local);
  return hostname === 'localhost' ? { id: hostname, origin } : null;
}
