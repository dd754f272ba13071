import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import {
  findConnectionOrigin,
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
     * Client address in canonical form, resolved through trusted proxies. IPv4-mapped IPv6 addresses are converted to
     * IPv4. Also used as the key for rate limits.
     */
    readonly clientAddress: string;
  }
}

type Connection = Pick<FastifyRequest, 'ip' | 'headers'>;

/** Adds `resolveClientAddress` to requests and records untrusted senders of forwarding headers. */
export function registerClientAddress(
  instance: FastifyInstance,
  trustedProxies: TrustedProxies,
  forwarders: UntrustedForwarders,
): void {
  instance.decorateRequest('clientAddress', {
    getter() {
      return resolveClientAddress(this, trustedProxies);
    },
  });
  instance.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['x-forwarded-for'] !== undefined) {
      const origin = resolveOrigin(request, trustedProxies);
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

/** Returns the client's address, resolved only through trusted proxies. */
export function resolveClientAddress(connection: Connection, trustedProxies: TrustedProxies): string {
  return resolveOrigin(connection, trustedProxies)?.address.text ?? String(connection.ip);
}

function resolveOrigin({ ip, headers }: Connection, trustedProxies: TrustedProxies): ConnectionOrigin | null {
  const peer = parseAddress(String(ip));
  if (peer === null) return null;
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',');
  return findConnectionOrigin(peer, { 'x-forwarded-for': forwarded }, trustedProxies);
}

/**
 * Returns true if the sender may be an unconfigured proxy: the peer itself, or an internal address behind trusted
 * proxies. Any other sender is a visitor who may have forged the header.
 */
function isUntrustedForwarder({ address, proxies, hasUntrustedEntries }: ConnectionOrigin): boolean {
  return hasUntrustedEntries && (proxies === 0 || INTERNAL_RANGES.contains(address));
}

/** Prefix lengths of IPv6 networks that providers assign to a single customer. */
const CUSTOMER_PREFIX_LENGTHS = [64, 56, 48];

/**
 * Returns the networks that an address's owner may control, smallest first. For an IPv6 address, these are its /64, /56
 * and /48. Otherwise, only the address itself is returned.
 */
export function getAddressNetworks(address: string): string[] {
  if (!ipaddr.isValid(address)) return [address];
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return [parsed.toString()];
  return CUSTOMER_PREFIX_LENGTHS.map(
    (length) => `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${length}`).toString()}/${length}`,
  );
}
