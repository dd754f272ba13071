import type { FastifyInstance, FastifyRequest } from 'fastify';
import { principalName, type Principal } from '../access/principal.js';
import type { OpenLink } from '../sharing/shared-links.repository.js';
import type { CatalogCacheRepository } from './catalog-cache.repository.js';
import type { Reader } from './fair-queue.js';
import type { ReadLimits } from './read-limits.js';

/** Adds `instance.readLimit`, which limits concurrent reads and caches responses built only from catalog data. */
export function registerReadLimits(
  instance: FastifyInstance,
  limits: ReadLimits,
  catalog: CatalogCacheRepository,
): void {
  instance.readLimit = (request, read) => {
    const reader = getReader(request);
    request.context.reader = reader;
    const { followsCatalog } = request.routeOptions.config.operation!;
    return limits.run(reader, followsCatalog ? () => catalog.read(request.url, read) : read);
  };
}

function getReader({ principal, sharedLink, clientAddress, params, routeOptions }: FastifyRequest): Reader {
  // Many people can open the same shared link, so each client address is limited separately.
  const link = sharedLink as OpenLink | undefined;
  if (link !== undefined) return { principal: `link ${link.id} ${clientAddress}`, project: link.project_id };
  const isProjectRead = routeOptions.config.operation!.path.startsWith('/api/projects/{id}');
  const project = isProjectRead ? (params as { id: string }).id.toLowerCase() : '';
  return { principal: principalName(principal as Principal), project };
}
