import { stat } from 'node:fs/promises';
import { type AsnResponse, open, type Reader } from 'maxmind';
import { type Address, cidr, parseCidr } from '#libs/agents';
import type { ClientNetwork, NetworkFileState } from '#libs/contracts';
import { errorMessage, type Logger } from '#libs/platform';
import { readNetworkRecord } from './network-record.js';

/** Maximum number of cached records and parts of records. The file itself is entirely in memory. */
const CACHED_RECORDS = 2_000;
const REPLACE = 'It is read within seconds, without a restart.';
const REMEDIES: Record<string, string> = {
  ENOENT: `The file does not exist. Put an MMDB file there. ${REPLACE}`,
  EACCES: 'The file cannot be read: permission denied. Let the user that the service runs as read it.',
  EISDIR: 'This is a folder. Set the path of the MMDB file in it.',
};

/** MMDB file supplied by the operator. It is kept in memory, and reloaded when it is replaced. */
export class NetworkFile {
  private reader: Reader<AsnResponse> | null = null;
  /** Identifies the version of the file on disk. */
  private version = '';
  private fault: string | null = null;

  constructor(
    readonly path: string,
    /** Setting that contains the path. */
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
      const version = await versionOf(this.path).catch((error: unknown) => {
        this.version = '';
        throw error;
      });
      if (version === this.version) return;
      this.version = version;
      this.reader = await read(this.path);
      this.fault = null;
      this.logger.info({ file: this.path, built: this.state.built_at }, `${this.setting} was read`);
    } catch (error) {
      this.report(faultOf(error));
    }
  }

  /** Returns the network of an address, or null if the file has no record of it. */
  find(address: Address): ClientNetwork | null {
    const { reader } = this;
    // An IPv4-only tree would misread the first bits of an IPv6 address as IPv4.
    if (reader === null || (address.family === 6 && reader.metadata.ipVersion === 4)) return null;
    try {
      const [record, prefixLength] = reader.getWithPrefixLength(address.text);
      if (record === null) return null;
      return { prefix: cidr(parseCidr(`${address.text}/${prefixLength}`)!), ...readNetworkRecord(record) };
    } catch {
      this.report(`The file is damaged: some addresses cannot be looked up. Replace it. ${REPLACE}`);
      return null;
    }
  }

  private report(fault: string): void {
    const text = this.reader === null ? fault : `${fault} Until then the file read before stays in use.`;
    if (text === this.fault) return;
    this.fault = text;
    this.logger.warn({ file: this.path }, `${this.setting}: ${text}`);
  }
}

async function versionOf(path: string): Promise<string> {
  const { dev, ino, size, ctimeMs } = await stat(path);
  return [dev, ino, size, ctimeMs].join(' ');
}

async function read(path: string): Promise<Reader<AsnResponse>> {
  const reader = await open<AsnResponse>(path, { cache: { max: CACHED_RECORDS } });
  const { ipVersion, buildEpoch } = reader.metadata;
  if (![4, 6].includes(ipVersion) || Number.isNaN(buildEpoch.getTime())) throw new TypeError('no valid metadata');
  // If the file is truncated, even the first nodes of the tree can be missing.
  reader.get('192.0.2.1');
  return reader;
}

function faultOf(error: unknown): string {
  const remedy = REMEDIES[(error as NodeJS.ErrnoException).code ?? ''];
  if (remedy !== undefined) return remedy;
  const message = errorMessage(error);
  if (message.includes('gzip')) return `The file is compressed. Unpack it, as with gunzip. ${REPLACE}`;
  return `This is not an MMDB file, or not a whole one (${message}). Replace it. ${REPLACE}`;
}
