import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { EvidenceSources } from '#libs/agents';
import { KeyValueStore } from '#libs/cache';
import { CurrentCatalog } from '#libs/catalog';
import { CLOCK, LOGGER, type Clock, type Logger } from '#libs/platform';
import { CachedDns } from './dns-resolver.js';
import type { DnsServers } from './dns-servers.js';
import { PUBLIC_EGRESS, type EgressPolicy } from './egress-policy.js';
import { createGuardedFetch } from './guarded-fetch.js';
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

/** Provides the {@link Identifier}, including DNS and key directory lookups. Requires a {@link CurrentCatalog}. */
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
          inject: [CurrentCatalog, KeyValueStore, CLOCK, LOGGER],
          useFactory: (catalog: CurrentCatalog, shared: KeyValueStore, now: Clock, logger: Logger) =>
            options.sources ?? createSources(options, { catalog, shared, now, logger }),
        },
      ],
      exports: [ALLOW_TEST_KEYS, EVIDENCE_SOURCES, Identifier],
    };
  }

  onApplicationShutdown(): void {
    this.sources.close?.();
  }
}

interface SourceDependencies {
  catalog: CurrentCatalog;
  shared: KeyValueStore;
  now: Clock;
  logger: Logger;
}

function createSources({ dnsServers, egress }: EvidenceOptions, dependencies: SourceDependencies): ClosableSources {
  const { catalog, shared, now, logger } = dependencies;
  const dns = new CachedDns({ servers: dnsServers, keyValue: shared, now });
  const directories = new CachedKeyDirectories({
    fetch: createGuardedFetch(egress ?? PUBLIC_EGRESS),
    shared,
    now,
    logger,
    // Only fetch directories listed in the catalog, never an arbitrary URL sent by a visitor.
    isListed: (url) => catalog.current.getAgentByDirectory(url) !== null,
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
