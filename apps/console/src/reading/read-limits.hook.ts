import type { FastifyInstance, FastifyRequest } from 'fastify';
import { principalName, type Principal } from '../access/principal.js';
import type { OpenLink } from '../sharing/shared-links.repository.js';
import type { CatalogCacheRepository } from './catalog-cache.repository.js';
import type { Reader } from './fair-queue.js';
import type { ReadLimits } from './read-limits.js';

/** Limits concurrent reads per principal and project, and caches responses that depend on the catalog. */
export function registerReadLimits(
  instance: FastifyInstance,
  limits: ReadLimits,
  catalog: CatalogCacheRepository,
): void {
  instance.readLimit = (request, read) => {
    const reader = readerOf(request);
    request.context.reader = reader;
    const { followsCatalog } = request.routeOptions.config.operation!;
    return limits.run(reader, followsCatalog ? () => catalog.read(request.url, read) : read);
  };
}

function readerOf({ principal, sharedLink, clientAddress, params, routeOptions }: FastifyRequest): Reader {
  // All visitors of a link share it, so tell them apart by address.
  const link = sharedLink as OpenLink | undefined;
  if (link !== undefined) return { principal: `link ${link.id} ${clientAddress}`, project: link.project_id };
  const isOfProject = routeOptions.config.operation!.path.startsWith('/api/projects/{id}');
  const project = isOfProject ? (params as { id: string }).id.toLowerCase() : '';
  return { principal: principalName(principal as Principal), project };
}
