import type { FastifyInstance } from 'fastify';
import { networksOf } from './client-address.js';
import { tooManyRequests } from './problem.js';

/**
 * Counts a request of a network.
 *
 * @returns seconds until the next request is accepted; 0 if this one is.
 */
export type NetworkLimit = (network: string) => Promise<number>;

/**
 * Limits the requests of each network to the routes of a scope.
 *
 * @param subject Requested resources, for the error message.
 */
export function limitNetworks(scope: FastifyInstance, subject: string, limit: NetworkLimit): void {
  scope.addHook('onRequest', async ({ clientAddress }) => {
    for (const network of networksOf(clientAddress)) {
      const seconds = await limit(network);
      if (seconds > 0) throw tooManyRequests(`Too many requests for ${subject}. Try again in ${seconds} s.`, seconds);
    }
  });
}
