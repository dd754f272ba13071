import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');
const SERVICES = ['catalog', 'console', 'enrichment', 'gateway', 'ingest', 'rules'];
const KAFKA_CLIENTS = ['console', 'enrichment', 'gateway', 'ingest', 'migrate'];

/** Returns the services that read each setting according to docs/configuration.md, including `migrate`. */
export function readServicesOfSettings(): Map<string, string[]> {
  const rows = [...PAGE.matchAll(/^\| `([A-Z\d_]+)` .*\| ([^|]+) \|$/gm)];
  const settings = rows.map(([, name, services]) => [name!, parseServices(services!)] as const);
  return new Map(settings.filter(([, services]) => services.length > 0));
}

/**
 * Parses a table cell such as `all`, `all but rules; migrate`, `Kafka`, or a list. Omits `standalone`, because it isn't
 * part of a deployment.
 */
function parseServices(text: string): string[] {
  const words = text.split(/[,;]/).flatMap((part) => {
    if (part.trim() === 'Kafka') return KAFKA_CLIENTS;
    const [, excluded] = /^all(?: but (\w+))?$/.exec(part.trim()) ?? [null, null];
    return part.trim().startsWith('all') ? SERVICES.filter((service) => service !== excluded) : [part.trim()];
  });
  return words.filter((word) => word !== 'standalone').toSorted();
}
