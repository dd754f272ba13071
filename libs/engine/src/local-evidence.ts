import type { Dns, EvidenceSources, KeyDirectories, KeyResult, KeySet } from '../../agents/src/index.js';
import type { LocalIdentification } from './types.js';

/** Evidence from a snapshot. Records which evidence is missing, for one request. */
export class LocalEvidence implements EvidenceSources {
  missing: LocalIdentification['missing'] = null;
  readonly directories: KeyDirectories;
  readonly dns: Dns;

  constructor(keySets: ReadonlyMap<string, KeySet>) {
    this.directories = {
      find: (url, keyId): KeyResult => {
        const keys = keySets.get(url);
        const key = keys?.get(keyId);
        if (key !== undefined) return { key };
        if (keys !== undefined) return { fault: 'key_not_in_directory' };
        this.missing = 'key_directory';
        return { fault: 'directory_pending' };
      },
    };
    const reportPending = () => {
      this.missing ??= 'reverse_dns';
      return { fault: 'dns_pending' } as const;
    };
    this.dns = { hostNames: reportPending, addresses: reportPending };
  }
}
