import { createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip, zstdCompress } from 'node:zlib';
import type { DrainSender, SampleRequest } from '#libs/drains';

interface EncodedSample {
  name: string;
  /** Query string with its question mark, or an empty string. */
  query: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface SampleOptions {
  token: string;
  now: Date;
  /** Secret for signing bodies. Default: unsigned. */
  secret?: string | undefined;
}

const COMPRESS = { gzip: promisify(gzip), zstd: promisify(zstdCompress) };

/** Returns sample requests of a sender for a page and a static file. By default, static files are skipped. */
export function sampleRequests(
  { sample, signature }: DrainSender,
  { token, now, secret }: SampleOptions,
): Promise<EncodedSample[]> {
  const encoded = async ({ name, query = '', headers, body, encoding }: SampleRequest): Promise<EncodedSample> => {
    const bytes = encoding === undefined ? Buffer.from(body) : await COMPRESS[encoding](body);
    const more: Record<string, string> = {};
    if (encoding !== undefined) more['content-encoding'] = encoding;
    if (signature !== undefined && secret !== undefined) {
      more[signature.header] = createHmac(signature.algorithm, secret).update(bytes).digest('hex');
    }
    return { name, query, headers: { ...headers, ...more }, body: bytes };
  };
  return Promise.all(sample({ token, now, isSigned: secret !== undefined }).map(encoded));
}
