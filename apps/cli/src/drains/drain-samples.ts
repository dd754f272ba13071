import { createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip, zstdCompress } from 'node:zlib';
import type { DrainSender, SampleRequest } from '#libs/drains';

/** Sample request as it's sent. */
interface EncodedSample {
  /** Description for people. */
  name: string;
  /** With its question mark; empty without one. */
  query: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface SampleOptions {
  token: string;
  now: Date;
  /** Secret that the sender signs bodies with. Default: not signed. */
  secret?: string | undefined;
}

const COMPRESS = { gzip: promisify(gzip), zstd: promisify(zstdCompress) };

/** Returns what a sender posts, compressed and signed: a page, and a static file, which is left out by default. */
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
