import { exceededLimit, jsonLimits, type ExceededLimit, type JsonLimits, type OperationAccess } from '#libs/contracts';
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import './access.js';
import { DamagedError, DecodedBudget, decompress, type Compression } from './decompression.js';
import { ProblemError } from './problem.js';

/** Maximum body size of a client request in bytes, both as sent and decoded. */
export const BODY_LIMIT = 5 * 1024 * 1024;

/** Maximum body size on routes that require no credential, in bytes. */
export const OPEN_BODY_LIMIT = 16 * 1024;

/**
 * Maximum size of a refused body that is still read and discarded. Closing the connection while the client is sending
 * could hide the response from it.
 */
const MAX_DISCARDED_BYTES = 4 * BODY_LIMIT;

/**
 * Maximum body size between services, in bytes. A client request can grow when it is forwarded, and several can be
 * combined.
 */
export const INTERNAL_BODY_LIMIT = 32 * 1024 * 1024;

const COMPRESSIONS: Record<string, Compression> = { gzip: 'gzip', 'x-gzip': 'gzip', br: 'br', zstd: 'zstd' };

/** Access levels that require no credential. */
const OPEN = new Set<OperationAccess>(['open', 'public']);

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Passes the decoded bytes of the body to the handler instead of the parsed value. */
    rawBody?: boolean;
    /** Accepts a body of any media type and encoding, without decompressing it. Maximum size in bytes. */
    maxRawBytes?: number;
  }
}

const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Registers the JSON body parser. Bodies may be encoded with gzip, br or zstd. The limit applies before and after
 * decoding.
 *
 * Routes that require no credential accept only {@link OPEN_BODY_LIMIT} bytes and no encoding, to bound the work that
 * anonymous clients can cause. On other routes, earlier hooks have checked the credential.
 */
export function registerBodyParser(instance: FastifyInstance, limit: number): void {
  instance.removeAllContentTypeParsers();
  instance.addHook('onRoute', (route) => {
    if (isOpen(route.config)) route.bodyLimit = OPEN_BODY_LIMIT;
    else if (route.config?.maxRawBytes !== undefined) route.bodyLimit = route.config.maxRawBytes;
  });
  instance.addHook('preParsing', (request, _reply, payload, done) => {
    try {
      // A missing route takes precedence over faults of the body.
      if (request.is404) throw new ProblemError('not-found', 'No resource has this address.');
      if (request.routeOptions.config.maxRawBytes === undefined) {
        if (!WITHOUT_BODY.has(request.method)) refuseOtherTypes(request);
        // GET bodies are never read. A proxy that checks a visitor by GET may forward the visitor's Content-Encoding.
        if (request.method !== 'GET') refuseUnsupportedEncoding(request);
      }
      done(null, payload);
    } catch (error) {
      done(error as Error);
    }
  });
  instance.addHook('onSend', (request, reply, _payload, done) => {
    const length = Number(request.headers['content-length'] ?? Infinity);
    // Fastify sets `connection: close` on this response. Without it, Node reads the body to the end.
    if (reply.statusCode === 413 && length <= MAX_DISCARDED_BYTES) reply.removeHeader('connection');
    done();
  });
  const limits = jsonLimits(limit);
  // For routes with `maxRawBytes`. On others, the `preParsing` hook refuses other types on methods with a body.
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

/**
 * Returns true if a route requires no credential. Routes without an access level count: plugins set theirs in a later
 * hook.
 */
const isOpen = ({ access = 'open' }: FastifyContextConfig = {}): boolean => OPEN.has(access);

/**
 * Parses JSON within limits.
 *
 * @throws ProblemError `invalid-body` if the text exceeds a limit, `malformed-json` with the reason if it isn't JSON.
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
