import {
  findExceededLimit,
  jsonLimits,
  type ExceededLimit,
  type JsonLimits,
  type OperationAccess,
} from '#libs/contracts';
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import './access.js';
import { CorruptDataError, DecodedBudget, decompress, type Compression } from './decompression.js';
import { ProblemError } from './problem.js';

/** Maximum size of a client request body in bytes, both before and after decoding. */
export const MAX_BODY_BYTES = 5 * 1024 * 1024;

/** Maximum body size in bytes on routes that require no credential. */
export const MAX_OPEN_BODY_BYTES = 16 * 1024;

/**
 * Maximum size in bytes of a rejected body that is still read and discarded. If the connection closed while the client
 * was sending, the client might not receive the response.
 */
const MAX_DISCARDED_BYTES = 4 * MAX_BODY_BYTES;

/**
 * Maximum body size between services in bytes. Requests can grow when they are forwarded, and several can be combined.
 */
export const MAX_INTERNAL_BODY_BYTES = 32 * 1024 * 1024;

const COMPRESSIONS: Record<string, Compression> = { gzip: 'gzip', 'x-gzip': 'gzip', br: 'br', zstd: 'zstd' };

/** Access levels that require no credential. */
const OPEN_ACCESS_LEVELS = new Set<OperationAccess>(['open', 'public']);

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Passes the decoded body to the handler as bytes instead of parsing it. */
    rawBody?: boolean;
    /** Maximum body size in bytes. If set, accepts any media type and encoding and doesn't decompress the body. */
    maxRawBytes?: number;
  }
}

const BODYLESS_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Registers the JSON body parser, which accepts gzip, br and zstd. The limit applies both before and after decoding.
 *
 * To bound the work caused by anonymous clients, routes without credentials accept only {@link MAX_OPEN_BODY_BYTES} bytes
 * and no encoding. On other routes, earlier hooks have checked the credential.
 */
export function registerBodyParser(instance: FastifyInstance, limitBytes: number): void {
  instance.removeAllContentTypeParsers();
  instance.addHook('onRoute', (route) => {
    if (isOpen(route.config)) route.bodyLimit = MAX_OPEN_BODY_BYTES;
    else if (route.config?.maxRawBytes !== undefined) route.bodyLimit = route.config.maxRawBytes;
  });
  instance.addHook('preParsing', (request, _reply, payload, done) => {
    try {
      // A missing route takes precedence over body errors.
      if (request.is404) throw new ProblemError('not-found', 'No resource exists at this address.');
      if (request.routeOptions.config.maxRawBytes === undefined) {
        if (!BODYLESS_METHODS.has(request.method)) requireJson(request);
        // GET bodies are never read. A proxy's GET subrequest may include the visitor's Content-Encoding header.
        if (request.method !== 'GET') requireSupportedEncoding(request);
      }
      done(null, payload);
    } catch (error) {
      done(error as Error);
    }
  });
  instance.addHook('onSend', (request, reply, _payload, done) => {
    const length = Number(request.headers['content-length'] ?? Infinity);
    // Fastify adds `connection: close` to this response. Without that header, Node.js reads the rest of the body.
    if (reply.statusCode === 413 && length <= MAX_DISCARDED_BYTES) reply.removeHeader('connection');
    done();
  });
  const limits = jsonLimits(limitBytes);
  // Handles routes with `maxRawBytes`. On other routes, the `preParsing` hook rejects these media types.
  instance.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  instance.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: limitBytes },
    (request: FastifyRequest, body: Buffer, done: (error: Error | null, value?: unknown) => void) => {
      const finish = (bytes: Buffer): void =>
        done(null, request.routeOptions.config.rawBody ? bytes : parseJson(bytes.toString('utf8'), limits));
      const encoding = request.routeOptions.config.maxRawBytes === undefined ? getContentEncoding(request) : 'identity';
      try {
        if (encoding === 'identity') finish(body);
        else decode(body, encoding, limitBytes).then(finish).catch(done);
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

/** A missing access level counts as open because plugins set theirs in a later hook. */
const isOpen = ({ access = 'open' }: FastifyContextConfig = {}): boolean => OPEN_ACCESS_LEVELS.has(access);

/**
 * Parses JSON within the given limits.
 *
 * @throws {ProblemError} `invalid-body` if the text exceeds a limit, or `malformed-json` if it isn't JSON.
 */
export function parseJson(text: string, limits: JsonLimits): unknown {
  const exceeded = findExceededLimit(text, limits);
  if (exceeded !== null) throw createComplexityError(exceeded, limits);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProblemError('malformed-json', `The body isn't valid JSON: ${(error as Error).message}.`);
  }
}

function createComplexityError({ limit: limitBytes, byte }: ExceededLimit, limits: JsonLimits): ProblemError {
  const detail = {
    depth: `must not be nested more than ${limits.depth} levels deep`,
    members: `must not have more than ${limits.members} members in one object`,
    values: `must not contain more than ${limits.values} values. Split it into several requests`,
  }[limitBytes];
  return new ProblemError('invalid-body', `The body ${detail} (limit exceeded at byte ${byte}).`, {
    errors: [{ pointer: '', detail }],
  });
}

function requireJson(request: FastifyRequest): void {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  if (type.trim().toLowerCase() === 'application/json') return;
  throw new ProblemError('unsupported-media-type', 'Send the body with Content-Type: application/json.', {
    headers: { accept: 'application/json' },
  });
}

function requireSupportedEncoding(request: FastifyRequest): void {
  const encoding = getContentEncoding(request);
  if (encoding === 'identity') return;
  if (isOpen(request.routeOptions.config)) {
    throw new ProblemError(
      'unsupported-media-type',
      `Send the body without Content-Encoding. This address doesn't accept compressed bodies (got "${encoding}").`,
      { headers: { 'accept-encoding': 'identity' } },
    );
  }
  if (!Object.hasOwn(COMPRESSIONS, encoding)) {
    throw new ProblemError('unsupported-media-type', 'Content-Encoding must be gzip, br or zstd.', {
      headers: { 'accept-encoding': 'gzip, br, zstd' },
    });
  }
}

function getContentEncoding(request: FastifyRequest): string {
  return (request.headers['content-encoding'] ?? '').trim().toLowerCase() || 'identity';
}

async function decode(body: Buffer, encoding: string, limitBytes: number): Promise<Buffer> {
  try {
    return await decompress(body, COMPRESSIONS[encoding]!, new DecodedBudget(limitBytes));
  } catch (error) {
    if (!(error instanceof CorruptDataError)) throw error;
    throw new ProblemError('malformed-request', `The body isn't valid ${encoding}.`, { cause: error });
  }
}
