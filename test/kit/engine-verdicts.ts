import {
  identify,
  normalizeHeaders,
  parseKeySet,
  resolveClientAddress,
  toPublicIdentification,
  type EvidenceSources,
  type KeySet,
  type PublicIdentification,
} from '#libs/agents';
import { compileCatalog, createCatalog, createSnapshotCatalog, getBundledCatalog, type Catalog } from '#libs/catalog';
import { SNAPSHOT_VERSION, type SnapshotContent } from '#libs/engine';
import { createCorpus, type CorpusRequest } from './engine-cases.js';
import { signSnapshot } from './signed-snapshots.js';
import { createDirectories, VECTOR_DIRECTORIES, VECTORS, type Vector } from './vectors.js';
import type { SignedSnapshot } from '../../libs/engine/src/types.js';

/** Requests along with the snapshot for the engine, and the services' identifications. */
export interface VerdictGroup {
  name: string;
  snapshot: SignedSnapshot;
  /** Time of the requests in milliseconds since the epoch. */
  now: number;
  cases: { request: CorpusRequest; expected: PublicIdentification; missing: 'reverse_dns' | 'key_directory' | null }[];
}

interface Setting {
  catalog: Catalog;
  directories: Vector['directories'];
  allowTestKeys: boolean;
  now: number;
}

const SITE: SnapshotContent['site'] = { trustedProxies: {}, hostNames: [] };

/** Returns the keys of all directories that can be read. */
function readKeySets(directories: Vector['directories']): Map<string, KeySet> {
  const sets = new Map<string, KeySet>();
  for (const [url, { status, body }] of Object.entries(directories)) {
    try {
      if (status === 200) sets.set(url, parseKeySet(body));
    } catch {
      // The services don't cache malformed directories.
    }
  }
  return sets;
}

function createGroup(name: string, setting: Setting, requests: readonly CorpusRequest[]): VerdictGroup {
  const { catalog, directories, allowTestKeys, now } = setting;
  const compiled = compileCatalog(catalog);
  const content: SnapshotContent = {
    version: SNAPSHOT_VERSION,
    site: SITE,
    rules: [],
    catalog: createSnapshotCatalog(catalog, readKeySets(directories), allowTestKeys, now),
  };
  const cases = requests.map((request) => {
    const headers = normalizeHeaders(request.request_headers);
    const peer = request.client_address ?? null;
    const clientAddress = resolveClientAddress(headers, SITE.trustedProxies, compiled.proxyNetworks, peer);
    let missing: VerdictGroup['cases'][number]['missing'] = null;
    const dnsPending = () => {
      missing ??= 'reverse_dns';
      return { fault: 'dns_pending' } as const;
    };
    const known = createDirectories(directories);
    const sources: EvidenceSources = {
      directories: {
        find(url, keyId) {
          const result = known.find(url, keyId);
          if ('fault' in result && result.fault !== 'key_not_in_directory') missing = 'key_directory';
          return result;
        },
      },
      dns: { hostNames: dnsPending, addresses: dnsPending },
    };
    const identification = identify(
      { headers, method: null, path: request.request_path, at: now },
      { catalog: compiled, clientAddress, sources, hostNames: SITE.hostNames, allowTestKeys, now },
    );
    if (identification instanceof Promise) throw new Error('Expected a synchronous identification');
    const expected = toPublicIdentification(identification);
    return { request, expected, missing: expected.result === 'verified' ? null : missing };
  });
  return { name, snapshot: signSnapshot(content, now), now, cases };
}

const signer = {
  token: 'ExampleBot',
  type: 'AI Agent',
  operator: 'Example',
  url: 'https://example.com/bot',
  user_agent_patterns: ['ExampleBot'],
  robots_token: null,
  verification: { signature_agents: VECTOR_DIRECTORIES },
};

/** Creates the entire identification corpus: unsigned requests, and the test vectors for signatures. */
export function createVerdictGroups(): VerdictGroup[] {
  const { proxies } = getBundledCatalog();
  const catalog = createCatalog({ agents: [signer], proxies });
  const unsigned = {
    catalog: getBundledCatalog(),
    directories: {},
    allowTestKeys: false,
    now: Date.parse('2026-11-30T12:00:00Z'),
  };
  return [
    createGroup('unsigned requests', unsigned, createCorpus()),
    ...VECTORS.map(({ id, title, now, directories, policy, body }) =>
      createGroup(
        `${id}: ${title}`,
        { catalog, directories, allowTestKeys: !policy.reject_test_keys, now: now * 1_000 },
        [{ ...body, request_path: body.request_path ?? '/' }],
      ),
    ),
  ];
}
