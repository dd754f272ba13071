import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Where passkeys are for (WebAuthn Level 3, section 4). */
export interface RelyingParty {
  /** A host. */
  id: string;
  origin: string;
}

/**
 * Returns whose passkeys a browser can use here: the host of an https `PUBLIC_URL`; of an instance on one's own machine,
 * localhost, where browsers do without https. Null: none, as browsers refuse addresses and plain http.
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
