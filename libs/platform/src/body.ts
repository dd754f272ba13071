import { promisify } from 'node:util';
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from './problem.js';

/** Largest body of a client's request, as sent and as decoded, in bytes. */
export const BODY_LIMIT = 5 * 1024 * 1024;

/** Bytes: what fits into a client's request may take more room when it is passed on, with what others ask. */
export const INTERNAL_BODY_LIMIT = 32 * 1024 * 1024;

const DECODERS: Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler takes the decoded bytes of the body instead of the parsed value. */
    rawBody?: boolean;
  }
}

/** Reads JSON bodies, plain or encoded with gzip, br or zstd, within so many bytes before and after decoding. */
export function registerBodyParser(instance: FastifyInstance, limit: number): void {
  instance.removeAllContentTypeParsers();
  instance.addHook('preParsing', (request, _reply, payload, done) => {
    try {
      // Where there is nothing, it does not matter what was sent there.
      if (request.is404) throw new ProblemError('not-found', 'No resource has this address.');
      if (request.method !== 'GET' && request.method !== 'DELETE') refuseUnsupported(request);
      done(null, payload);
    } catch (error) {
      done(error as Error);
    }
  });
  instance.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: limit },
    (request: FastifyRequest, body: Buffer, done: (error: Error | null, value?: unknown) => void) => {
      const take = (bytes: Buffer): void => done(null, request.routeOptions.config.rawBody ? bytes : readJson(bytes));
      const encoding = encodingOf(request);
      try {
        if (encoding === 'identity') take(body);
        else decode(body, encoding, limit).then(take).catch(done);
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

const readJson = (bytes: Buffer): unknown => parseJson(bytes.toString('utf8'));

/** @throws ProblemError `malformed-json`, with the place where reading stopped. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProblemError('malformed-json', `The body is not JSON: ${(error as Error).message}.`);
  }
}

function refuseUnsupported(request: FastifyRequest): void {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new ProblemError('unsupported-media-type', 'Send the body with Content-Type: application/json.', {
      headers: { accept: 'application/json' },
    });
  }
  const encoding = encodingOf(request);
  if (encoding !== 'identity' && !Object.hasOwn(DECODERS, encoding)) {
    throw new ProblemError('unsupported-media-type', 'The content encodings accepted are gzip, br and zstd.', {
      headers: { 'accept-encoding': 'gzip, br, zstd' },
    });
  }
}

function encodingOf(request: FastifyRequest): string {
  return (request.headers['content-encoding'] ?? '').trim().toLowerCase() || 'identity';
}

async function decode(body: Buffer, encoding: string, limit: number): Promise<Buffer> {
  try {
    return await DECODERS[encoding]!(body, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new ProblemError('too-large', `The decoded body is larger than ${limit} bytes.`);
    }
    throw new ProblemError('malformed-request', `The body is not valid ${encoding}.`);
  }
}
