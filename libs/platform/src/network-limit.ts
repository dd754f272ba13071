import type { FastifyInstance } from 'fastify';
import { getAddressNetworks } from './client-address.js';
import { tooManyRequests } from './problem.js';

/**
 * Counts a request from a network.
 *
 * @returns Seconds until the next request is allowed, or 0 if this request is allowed.
 */
export type NetworkLimit = (network: string) => Promise<number>;

/**
 * Limits the request rate of each network for all routes in a scope.
 *
 * @param subject Requested resources, which the error message names.
 */
export function rateLimitNetworks(scope: FastifyInstance, subject: string, limit: NetworkLimit): void {
  scope.addHook('onRequest', async ({ clientAddress }) => {
    for (const network of getAddressNetworks(clientAddress)) {
      const seconds = await limit(network);
      if (seconds > 0) throw tooManyRequests(`Too many requests for ${subject}. Try again in ${seconds} s.`, seconds);
    }
  });
}
