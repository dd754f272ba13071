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
     * Who asks, behind trusted proxies: what attempts are counted by. Canonical, IPv4 also where it was mapped into
     * IPv6.
     */
    readonly clientAddress: string;
  }
}

type Connection = Pick<FastifyRequest, 'ip' | 'headers'>;

/** Decorates requests with their `clientAddress`, and notes who sends forwarding headers that are not believed. */
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

/** The address behind a connection, through trusted proxies only. */
export function clientAddress(connection: Connection, trusted: TrustedProxies): string {
  return originOf(connection, trusted)?.address.text ?? String(connection.ip);
}

function originOf({ ip, headers }: Connection, trusted: TrustedProxies): ConnectionOrigin | null {
  const peer = parseAddress(String(ip));
  if (peer === null) return null;
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',');
  return connectionOrigin(peer, { 'x-forwarded-for': forwarded }, trusted);
}

/** The peer, or a sender with an internal address behind our proxies, may be a proxy; any visitor may forge. */
function isUntrustedForwarder({ address, proxies, hasUntrustedEntries }: ConnectionOrigin): boolean {
  return hasUntrustedEntries && (proxies === 0 || INTERNAL_RANGES.contains(address));
}

/** Prefix lengths of the IPv6 networks that one customer of a provider may have. */
const PREFIX_LENGTHS = [64, 56, 48];

/**
 * Returns the networks that somebody with this address may own, the smallest first: the /64, /56 and /48 of an IPv6 address. Only
 * the address itself for IPv4 and for other texts.
 */
export function networksOf(address: string): string[] {
  if (!ipaddr.isValid(address)) return [address];
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return [parsed.toString()];
  return PREFIX_LENGTHS.map(
    (length) => `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${length}`).toString()}/${length}`,
  );
}
