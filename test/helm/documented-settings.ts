import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');
const SERVICES = ['catalog', 'console', 'enrichment', 'gateway', 'ingest', 'rules'];
const KAFKA_CLIENTS = ['console', 'enrichment', 'gateway', 'ingest', 'migrate'];

/**
 * Returns the deployment's services that read each setting, according to docs/configuration.md. `migrate` is included.
 */
export function readServicesOfSettings(): Map<string, string[]> {
  const rows = [...PAGE.matchAll(/^\| `([A-Z_]+)` .*\| ([^|]+) \|$/gm)];
  const settings = rows.map(([, name, services]) => [name!, servicesIn(services!)] as const);
  return new Map(settings.filter(([, services]) => services.length > 0));
}

/**
 * Parses a cell such as `all`, `all but rules; migrate`, `Kafka`, or a list. `standalone` is left out because it isn't
 * part of a deployment.
 */
function servicesIn(text: string): string[] {
  const words = text.split(/[,;]/).flatMap((part) => {
    if (part.trim() === 'Kafka') return KAFKA_CLIENTS;
    const [, left] = /^all(?: but (\w+))?$/.exec(part.trim()) ?? [null, null];
    return part.trim().startsWith('all') ? SERVICES.filter((service) => service !== left) : [part.trim()];
  });
  return words.filter((word) => word !== 'standalone').toSorted();
}
