import { S3mini, S3ServiceError } from 's3mini';
import { ConfigurationError } from '#libs/platform';
import type { ArchiveStorage } from './archive-storage.js';

const REQUEST_TIMEOUT_MS = 120_000;
const TEST_KEY = 'write-test';

interface S3Options {
  bucket: string;
  /** Key prefix without a slash at either end. Can be empty. */
  prefix: string;
  /** Server URL. The bucket name is appended to its path. */
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Stores files in a bucket on Amazon S3 or a compatible service. */
export class S3Storage implements ArchiveStorage {
  private readonly client: S3mini;
  private readonly prefix: string;

  constructor(private readonly options: S3Options) {
    const { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey } = options;
    this.client = new S3mini({
      endpoint: `${endpoint.replace(/\/$/, '')}/${bucket}`,
      region,
      accessKeyId,
      secretAccessKey,
      requestAbortTimeout: REQUEST_TIMEOUT_MS,
    });
    this.prefix = prefix === '' ? '' : `${prefix}/`;
  }

  async check(): Promise<void> {
    const { bucket, endpoint } = this.options;
    try {
      await this.list('check/');
      await this.write(TEST_KEY, Buffer.from('Agent Traffic can write to this bucket.\n'));
      await this.delete(TEST_KEY);
    } catch (error) {
      if (!(error instanceof S3ServiceError) || error.status >= 500) throw error;
      throw new ConfigurationError(
        `ARCHIVE_URL: ${new URL(endpoint).host} rejected a request for the bucket ${bucket} (${error.message}). Check ARCHIVE_URL, ARCHIVE_S3_ENDPOINT, ARCHIVE_S3_REGION and the access key, which must be allowed to list, read, write and delete objects.`,
      );
    }
  }

  async list(prefix: string): Promise<Map<string, number>> {
    const objects = await this.client.listObjects('/', this.prefix + prefix);
    if (objects === null) throw new S3ServiceError(`the bucket ${this.options.bucket} doesn't exist`, 404);
    return new Map(objects.map(({ Key: key, Size: bytes }) => [key.slice(this.prefix.length), Number(bytes)]));
  }

  async read(key: string): Promise<Uint8Array | null> {
    const content = await this.client.getObjectArrayBuffer(this.prefix + key);
    return content && new Uint8Array(content);
  }

  async write(key: string, content: Uint8Array): Promise<void> {
    await this.client.putObject(this.prefix + key, content);
  }

  async delete(key: string): Promise<void> {
    await this.client.deleteObject(this.prefix + key);
  }
}
