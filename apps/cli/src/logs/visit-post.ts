import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { VisitSender, type FailedRequest, type Post } from '#libs/access-log';
import { CliError, ConnectionError, HttpError } from '../cli-error.js';
import type { InstanceClient } from '../client.js';

const compress = promisify(gzip);
/** Half the time of the default level, for a tenth more bytes. */
const COMPRESSION = { level: constants.Z_BEST_SPEED };
/** For requests that are under way when the user interrupts. */
const GRACE_PERIOD_MS = 3_000;

interface PostOptions {
  client: Pick<InstanceClient, 'send'>;
  token: string;
  /** Milliseconds for which a request is tried again while no other one succeeds. */
  retryFor: number;
  /** The most requests under way. */
  concurrency: number;
  signal: AbortSignal;
  onWait: (reason: string, milliseconds: number) => void;
}

/** Posts batches of visits with a project's token. What it throws says what to do. */
export function newPost({ client, token, ...options }: PostOptions): Post {
  const end = new AbortController();
  const stop = () => setTimeout(() => end.abort(), GRACE_PERIOD_MS).unref();
  if (options.signal.aborted) stop();
  else options.signal.addEventListener('abort', stop, { once: true });
  const sender = new VisitSender({
    ...options,
    send: async (body, headers) =>
      (await client.send('/visits', { method: 'POST', credential: token, headers, body, signal: end.signal })).headers,
    failedRequest,
    pack: (body) => compress(body, COMPRESSION),
    givenUp,
  });
  return (body, identity) => sender.post(body, identity);
}

function failedRequest(error: unknown): FailedRequest | null {
  if (error instanceof ConnectionError) return { status: null, message: error.message };
  if (!(error instanceof HttpError)) return null;
  const { status, message, retryAfter } = error;
  return { status, message, retryAfter };
}

function givenUp(error: unknown, retryFor: number): CliError {
  const { message, hint } = error as CliError;
  return new CliError(`Gave up after trying for ${Math.round(retryFor / 1_000)} s. ${message}`, {
    hint: hint ?? 'Try again later; --retry-for 30m tries for longer.',
    cause: error,
  });
}
