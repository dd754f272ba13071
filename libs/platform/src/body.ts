import { exceededLimit, jsonLimits, type ExceededLimit, type JsonLimits, type OperationAccess } from '#libs/contracts';
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import './access.js';
import { DamagedError, DecodedBudget, decompress, type Compression } from './decompression.js';
import { ProblemError } from './problem.js';

/** Largest body of a client's request, as sent and as decoded, in bytes. */
export const BODY_LIMIT = 5 * 1024 * 1024;

/** Largest body on a route that takes no credential, in bytes. */
export const OPEN_BODY_LIMIT = 16 * 1024;

/**
 * Bytes of a refused body that are still read, and discarded. A connection that is closed while its client sends is reset,
 * and the client may never see why.
 */
const MAX_DISCARDED_BYTES = 4 * BODY_LIMIT;

/** Bytes: what fits into a client's request may take more room when it is passed on, with what others ask. */
export const INTERNAL_BODY_LIMIT = 32 * 1024 * 1024;

/** Compression by Content-Encoding. */
const COMPRESSIONS: Record<string, Compression> = { gzip: 'gzip', 'x-gzip': 'gzip', br: 'br', zstd: 'zstd' };

/** What takes no credential. */
const OPEN = new Set<OperationAccess>(['open', 'public']);

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler takes the decoded bytes of the body instead of the parsed value. */
    rawBody?: boolean;
    /** The handler takes the body as it was sent, of any media type and encoding: so many bytes at most. */
    maxRawBytes?: number;
  }
}

const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Reads JSON bodies, plain or encoded with gzip, br or zstd, within so many bytes before and after decoding. Routes that
 * take no credential get {@link OPEN_BODY_LIMIT} bytes and no encoding: what a stranger may make this process do ends
 * there. On the others hooks have checked the credential by now.
 */
export function registerBodyParser(instance: FastifyInstance, limit: number): void {
  instance.removeAllContentTypeParsers();
  instance.addHook('onRoute', (route) => {
    if (isOpen(route.config)) route.bodyLimit = OPEN_BODY_LIMIT;
    else if (route.config?.maxRawBytes !== undefined) route.bodyLimit = route.config.maxRawBytes;
  });
  instance.addHook('preParsing', (request, _reply, payload, done) => {
    try {
      // Where there is nothing, it does not matter what was sent there.
      if (request.is404) throw new ProblemError('not-found', 'No resource has this address.');
      if (request.routeOptions.config.maxRawBytes === undefined) {
        if (!WITHOUT_BODY.has(request.method)) refuseOtherTypes(request);
        // A body of GET is not read. Proxies that ask about a visitor pass on what it says of its own.
        if (request.method !== 'GET') refuseUnsupportedEncoding(request);
      }
      done(null, payload);
    } catch (error) {
      done(error as Error);
    }
  });
  instance.addHook('onSend', (request, reply, _payload, done) => {
    const length = Number(request.headers['content-length'] ?? Infinity);
    // Fastify closes the connection with this answer; else Node reads to the end of the body.
    if (reply.statusCode === 413 && length <= MAX_DISCARDED_BYTES) reply.removeHeader('connection');
    done();
  });
  const limits = jsonLimits(limit);
  // Only of routes that take any: the hook above refuses it elsewhere.
  instance.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  instance.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: limit },
    (request: FastifyRequest, body: Buffer, done: (error: Error | null, value?: unknown) => void) => {
      const take = (bytes: Buffer): void =>
        done(null, request.routeOptions.config.rawBody ? bytes : parseJson(bytes.toString('utf8'), limits));
      const encoding = request.routeOptions.config.maxRawBytes === undefined ? encodingOf(request) : 'identity';
      try {
        if (encoding === 'identity') take(body);
        else decode(body, encoding, limit).then(take).catch(done);
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

/** Whether everybody may call a route: also one that does not say, or says so later. */
const isOpen = ({ access = 'open' }: FastifyContextConfig = {}): boolean => OPEN.has(access);

/**
 * @throws ProblemError `invalid-body` for a text beyond the limits, `malformed-json` with the place where reading
 * stopped.
 */
export function parseJson(text: string, limits: JsonLimits): unknown {
  const exceeded = exceededLimit(text, limits);
  if (exceeded !== null) throw tooComplex(exceeded, limits);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProblemError('malformed-json', `The body is not JSON: ${(error as Error).message}.`);
  }
}

function tooComplex({ limit, byte }: ExceededLimit, limits: JsonLimits): ProblemError {
  const detail = {
    depth: `must not be nested more than ${limits.depth} deep`,
    members: `must not have more than ${limits.members} members in an object`,
    values: `must not hold more than ${limits.values} values: split it into several requests`,
  }[limit];
  return new ProblemError('invalid-body', `The body ${detail} (it does at byte ${byte}).`, {
    errors: [{ pointer: '', detail }],
  });
}

function refuseOtherTypes(request: FastifyRequest): void {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  if (type.trim().toLowerCase() === 'application/json') return;
  throw new ProblemError('unsupported-media-type', 'Send the body with Content-Type: application/json.', {
    headers: { accept: 'application/json' },
  });
}

function refuseUnsupportedEncoding(request: FastifyRequest): void {
  const encoding = encodingOf(request);
  if (encoding === 'identity') return;
  if (isOpen(request.routeOptions.config)) {
    throw new ProblemError(
      'unsupported-media-type',
      `Send the body without Content-Encoding: this address takes no compressed body (got "${encoding}").`,
      { headers: { 'accept-encoding': 'identity' } },
    );
  }
  if (!Object.hasOwn(COMPRESSIONS, encoding)) {
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
    return await decompress(body, COMPRESSIONS[encoding]!, new DecodedBudget(limit));
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    throw new ProblemError('malformed-request', `The body is not valid ${encoding}.`, { cause: error });
  }
}
