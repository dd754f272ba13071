import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import {
  connectionOrigin,
  INTERNAL_RANGES,
  parseAddress,
  type ConnectionOrigin,
  type TrustedProxies,
} from '#libs/agents';
import './access.js';
import type { UntrustedForwarders } from './untrusted-forwarders.js';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Address of the client, behind trusted proxies. Used as the key of rate limits. Canonical; IPv4-mapped IPv6
     * addresses are returned as IPv4.
     */
    readonly clientAddress: string;
  }
}

type Connection = Pick<FastifyRequest, 'ip' | 'headers'>;

/** Decorates requests with `clientAddress`, and records senders of forwarding headers that aren't trusted. */
export function registerClientAddress(
  instance: FastifyInstance,
  trusted: TrustedProxies,
  forwarders: UntrustedForwarders,
): void {
  instance.decorateRequest('clientAddress', {
    getter() {
      return clientAddress(this, trusted);
    },
  });
  instance.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['x-forwarded-for'] !== undefined) {
      const origin = originOf(request, trusted);
      if (
        origin !== null &&
        isUntrustedForwarder(origin) &&
        !request.routeOptions.config.operation?.hasVisitorHeaders
      ) {
        forwarders.record(origin.address.text);
      }
    }
    done();
  });
}

/** Returns the address of the client, resolved only through trusted proxies. */
export function clientAddress(connection: Connection, trusted: TrustedProxies): string {
  return originOf(connection, trusted)?.address.text ?? String(connection.ip);
}

function originOf({ ip, headers }: Connection, trusted: TrustedProxies): ConnectionOrigin | null {
  const peer = parseAddress(String(ip));
  if (peer === null) return null;
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',');
  return connectionOrigin(peer, { 'x-forwarded-for': forwarded }, trusted);
}

/**
 * Returns true if the sender may be a proxy that isn't configured: the peer itself, or an internal address behind our
 * proxies. Any other visitor may have forged the header.
 */
function isUntrustedForwarder({ address, proxies, hasUntrustedEntries }: ConnectionOrigin): boolean {
  return hasUntrustedEntries && (proxies === 0 || INTERNAL_RANGES.contains(address));
}

/** Prefix lengths of IPv6 networks that providers assign to one customer. */
const PREFIX_LENGTHS = [64, 56, 48];

/**
 * Returns the networks that the owner of an address may control, smallest first: the /64, /56 and /48 of an IPv6
 * address. For anything else, only the address itself.
 */
export function networksOf(address: string): string[] {
  if (!ipaddr.isValid(address)) return [address];
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return [parsed.toString()];
  return PREFIX_LENGTHS.map(
    (length) => `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${length}`).toString()}/${length}`,
  );
}
