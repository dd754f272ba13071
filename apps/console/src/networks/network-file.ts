import { stat } from 'node:fs/promises';
import { type AsnResponse, open, type Reader } from 'maxmind';
import { type Address, formatCidr, parseCidr } from '#libs/agents';
import type { ClientNetwork, NetworkFileState } from '#libs/contracts';
import { errorMessage, type Logger } from '#libs/platform';
import { readNetworkRecord } from './network-record.js';

/** Maximum number of decoded records, and parts of records, in the cache. The file itself is entirely in memory. */
const MAX_CACHED_RECORDS = 2_000;
const RELOAD_HINT = 'It will be loaded within seconds, without a restart.';
const REMEDIES: Record<string, string> = {
  ENOENT: `The file does not exist. Put an MMDB file there. ${RELOAD_HINT}`,
  EACCES: 'The service is not allowed to read the file. Grant read permission to the user that the service runs as.',
  EISDIR: 'This is a folder. Set the path to the MMDB file inside it.',
};

/** An MMDB file supplied by the operator. It's loaded into memory, and reloaded when it's replaced. */
export class NetworkFile {
  private reader: Reader<AsnResponse> | null = null;
  /** Identifies the version of the file that was last loaded. */
  private version = '';
  private fault: string | null = null;

  constructor(
    readonly path: string,
    /** Name of the setting that contains the path. */
    private readonly setting: NetworkFileState['setting'],
    private readonly logger: Logger,
  ) {}

  get state(): Omit<NetworkFileState, 'setting'> {
    const { reader, path, fault } = this;
    return {
      path,
      database_type: reader?.metadata.databaseType ?? null,
      built_at: reader?.metadata.buildEpoch.toISOString() ?? null,
      fault,
    };
  }

  /** Reloads the file if it has changed. If that fails, the previous version stays in use. */
  async refresh(): Promise<void> {
    try {
      const version = await getVersion(this.path).catch((error: unknown) => {
        this.version = '';
        throw error;
      });
      if (version === this.version) return;
      this.version = version;
      this.reader = await openReader(this.path);
      this.fault = null;
      this.logger.info({ file: this.path, built: this.state.built_at }, `loaded the file in ${this.setting}`);
    } catch (error) {
      this.reportFault(describeFault(error));
    }
  }

  /** Returns an address's network, or null if the file has no record for it. */
  find(address: Address): ClientNetwork | null {
    const { reader } = this;
    // An IPv4-only tree would misread the first bits of an IPv6 address as an IPv4 address.
    if (reader === null || (address.family === 6 && reader.metadata.ipVersion === 4)) return null;
    try {
      const [record, prefixLength] = reader.getWithPrefixLength(address.text);
      if (record === null) return null;
      return { prefix: formatCidr(parseCidr(`${address.text}/${prefixLength}`)!), ...readNetworkRecord(record) };
    } catch {
      this.reportFault(`The file is damaged, so some addresses cannot be looked up. Replace it. ${RELOAD_HINT}`);
      return null;
    }
  }

  private reportFault(fault: string): void {
    const text = this.reader === null ? fault : `${fault} Until then, the previous file stays in use.`;
    if (text === this.fault) return;
    this.fault = text;
    this.logger.warn({ file: this.path }, `${this.setting}: ${text}`);
  }
}

async function getVersion(path: string): Promise<string> {
  const { dev, ino, size, ctimeMs } = await stat(path);
  return [dev, ino, size, ctimeMs].join(' ');
}

async function openReader(path: string): Promise<Reader<AsnResponse>> {
  const reader = await open<AsnResponse>(path, { cache: { max: MAX_CACHED_RECORDS } });
  const { ipVersion, buildEpoch } = reader.metadata;
  if (![4, 6].includes(ipVersion) || Number.isNaN(buildEpoch.getTime())) throw new TypeError('invalid metadata');
  // Look up any address. The lookup fails if the file was truncated so early that it lacks the first nodes of the tree.
  reader.get('192.0.2.1');
  return reader;
}

function describeFault(error: unknown): string {
  const remedy = REMEDIES[(error as NodeJS.ErrnoException).code ?? ''];
  if (remedy !== undefined) return remedy;
  const message = errorMessage(error);
  if (message.includes('gzip')) return `The file is compressed. Decompress it, for example with gunzip. ${RELOAD_HINT}`;
  return `This is not an MMDB file, or it is incomplete (${message}). Replace it. ${RELOAD_HINT}`;
}
