import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/**
 * The address that attempts are counted by, in its canonical form: IPv4 also where it was mapped into IPv6. Behind a
 * proxy of ours, which has a private address, it is what the proxy appended to `X-Forwarded-For`; whoever is outside
 * can't choose it.
 */
export function clientAddress({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): string {
  if (!isPrivate(ip)) return canonical(ip);
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').at(-1)!.trim();
  return canonical(ipaddr.isValid(forwarded) ? forwarded : ip);
}

const canonical = (address: string): string => (ipaddr.isValid(address) ? ipaddr.process(address).toString() : address);

/** IPv6 by its network of 64 bits, which one client has all of. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return (parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

const isPrivate = (address: string): boolean =>
  ipaddr.isValid(address) &&
  ['private', 'loopback', 'uniqueLocal', 'linkLocal'].includes(ipaddr.process(address).range());
