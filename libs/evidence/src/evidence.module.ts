import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { EvidenceSources } from '#libs/agents';
import { KeyValue } from '#libs/cache';
import { CurrentCatalog } from '#libs/catalog';
import { CLOCK, LOGGER, type Clock, type Logger } from '#libs/platform';
import { CachedDns } from './dns-resolver.js';
import type { DnsServers } from './dns-servers.js';
import { PUBLIC_EGRESS, type EgressPolicy } from './egress-policy.js';
import { fetchUnder } from './guarded-fetch.js';
import { ALLOW_TEST_KEYS, EVIDENCE_SOURCES, Identifier } from './identifier.js';
import { CachedKeyDirectories } from './key-directories.js';

export interface EvidenceOptions {
  dnsServers: DnsServers;
  allowTestKeys: boolean;
  /** Default: public addresses only. */
  egress?: EgressPolicy;
  /** Replaces DNS and key directories in tests. */
  sources?: EvidenceSources;
}

interface ClosableSources extends EvidenceSources {
  close(): void;
}

/** Provides the {@link Identifier} with its DNS and key directory lookups. Requires a {@link CurrentCatalog}. */
@Global()
@Module({})
export class EvidenceModule implements OnApplicationShutdown {
  constructor(@Inject(EVIDENCE_SOURCES) private readonly sources: EvidenceSources & Partial<ClosableSources>) {}

  static forRoot(options: EvidenceOptions): DynamicModule {
    return {
      module: EvidenceModule,
      providers: [
        Identifier,
        { provide: ALLOW_TEST_KEYS, useValue: options.allowTestKeys },
        {
          provide: EVIDENCE_SOURCES,
          inject: [CurrentCatalog, KeyValue, CLOCK, LOGGER],
          useFactory: (catalog: CurrentCatalog, shared: KeyValue, now: Clock, logger: Logger) =>
            options.sources ?? realSources(options, { catalog, shared, now, logger }),
        },
      ],
      exports: [Identifier, EVIDENCE_SOURCES],
    };
  }

  onApplicationShutdown(): void {
    this.sources.close?.();
  }
}

interface Surroundings {
  catalog: CurrentCatalog;
  shared: KeyValue;
  now: Clock;
  logger: Logger;
}

function realSources({ dnsServers, egress }: EvidenceOptions, around: Surroundings): ClosableSources {
  const { catalog, shared, now, logger } = around;
  const dns = new CachedDns({ servers: dnsServers, keyValue: shared, now });
  const directories = new CachedKeyDirectories({
    fetch: fetchUnder(egress ?? PUBLIC_EGRESS),
    shared,
    now,
    logger,
    // Only directories in the catalog are fetched, never an arbitrary URL that a visitor sends.
    isListed: (url) => catalog.current.agentOfDirectory(url) !== null,
    pinned: () => catalog.current.pinnedDirectories,
  });
  return {
    dns,
    directories,
    close: () => {
      dns.close();
      directories.close();
    },
  };
}
