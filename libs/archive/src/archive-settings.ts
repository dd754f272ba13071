import { fileURLToPath } from 'node:url';
import { ConfigurationError, secret, serverUrl, str } from '#libs/platform';
import { Archive } from './archive.js';
import type { ArchiveStorage } from './archive-storage.js';
import { FolderStorage } from './folder-storage.js';
import { S3Storage } from './s3-storage.js';

export const archiveSettings = {
  ARCHIVE_URL: str({
    default: undefined,
    desc: 'Folder or s3://bucket/prefix to which visits are written before they are deleted, or "off"',
  }),
  ARCHIVE_S3_ENDPOINT: serverUrl(
    'https',
    'http',
  )({
    default: undefined,
    desc: 'URL of the S3 service. Default: Amazon S3 in ARCHIVE_S3_REGION',
  }),
  ARCHIVE_S3_REGION: str({ default: 'us-east-1', desc: 'Region of the S3 service' }),
  ARCHIVE_S3_ACCESS_KEY_ID: str({ default: undefined, desc: 'Access key ID for the S3 service' }),
  ARCHIVE_S3_SECRET_ACCESS_KEY: secret(1)({ default: undefined, desc: 'Secret access key for the S3 service' }),
};

export type ArchiveSettings = { [K in keyof typeof archiveSettings]?: string | undefined };

/** Value of ARCHIVE_URL that turns archiving off on an instance that used an archive. */
const OFF = 'off';

/**
 * Returns the archive at ARCHIVE_URL, or null if it isn't set or is `off`.
 *
 * @throws {ConfigurationError} if the settings are invalid.
 */
export const openArchive = (settings: ArchiveSettings): Archive | null =>
  settings.ARCHIVE_URL === undefined || settings.ARCHIVE_URL === OFF
    ? null
    : new Archive(createStorage(settings.ARCHIVE_URL, settings));

function createStorage(text: string, settings: ArchiveSettings): ArchiveStorage {
  const url = URL.parse(text);
  if (url === null) return new FolderStorage(text);
  if (url.protocol === 'file:' && url.host === '') return new FolderStorage(fileURLToPath(url));
  if (url.protocol !== 's3:' || url.hostname !== url.host || url.hostname === '' || url.search + url.hash !== '') {
    throw new ConfigurationError(
      'ARCHIVE_URL must be a path or a URL such as file:///folder or s3://bucket/prefix, without a query',
    );
  }
  const { ARCHIVE_S3_ACCESS_KEY_ID: accessKeyId, ARCHIVE_S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigurationError(
      'If ARCHIVE_URL is an S3 bucket, ARCHIVE_S3_ACCESS_KEY_ID and ARCHIVE_S3_SECRET_ACCESS_KEY are required',
    );
  }
  const region = settings.ARCHIVE_S3_REGION ?? 'us-east-1';
  const endpoint = settings.ARCHIVE_S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`;
  return new S3Storage({
    bucket: url.hostname,
    prefix: decodeURIComponent(url.pathname).split('/').filter(Boolean).join('/'),
    endpoint,
    region,
    accessKeyId,
    secretAccessKey,
  });
}
