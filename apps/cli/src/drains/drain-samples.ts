import { createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip, zstdCompress } from 'node:zlib';
import type { DrainSender, SampleRequest } from '#libs/drains';

interface EncodedSample {
  name: string;
  /** Query string that starts with a question mark, or an empty string. */
  query: string;
  headers: Record<string, string>;
  body: Buffer<ArrayBuffer>;
}

export interface SampleOptions {
  token: string;
  now: Date;
  /** Secret for signing the bodies. By default, they aren't signed. */
  secret?: string | undefined;
}

const COMPRESS = { gzip: promisify(gzip), zstd: promisify(zstdCompress) };

/** Returns a sender's sample requests, with the compression and signatures that this sender uses. */
export function sampleRequests(
  { sample, signature }: DrainSender,
  { token, now, secret }: SampleOptions,
): Promise<EncodedSample[]> {
  const encodeSample = async ({ name, query = '', headers, body, encoding }: SampleRequest): Promise<EncodedSample> => {
    const bytes = encoding === undefined ? Buffer.from(body) : await COMPRESS[encoding](body);
    const extraHeaders: Record<string, string> = {};
    if (encoding !== undefined) extraHeaders['content-encoding'] = encoding;
    if (signature !== undefined && secret !== undefined) {
      extraHeaders[signature.header] = createHmac(signature.algorithm, secret).update(bytes).digest('hex');
    }
    return { name, query, headers: { ...headers, ...extraHeaders }, body: bytes };
  };
  return Promise.all(sample({ token, now, isSigned: secret !== undefined }).map(encodeSample));
}
