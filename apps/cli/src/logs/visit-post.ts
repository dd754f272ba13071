import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { VisitSender, type FailedRequest, type Post } from '#libs/access-log';
import { CliError, ConnectionError, HttpError } from '../cli-error.js';
import type { InstanceClient } from '../client.js';

const compress = promisify(gzip);
/** The default level is much slower for little gain. */
const COMPRESSION = { level: constants.Z_BEST_SPEED };
/** Time for in-flight requests to finish after the user interrupts. */
const GRACE_PERIOD_MS = 3_000;

interface PostOptions {
  client: Pick<InstanceClient, 'send'>;
  token: string;
  /** Milliseconds to retry a request while no other one succeeds. */
  retryFor: number;
  concurrency: number;
  signal: AbortSignal;
  onWait: (reason: string, milliseconds: number) => void;
}

/** Returns a function that posts batches of visits with a project's token. Its errors contain advice for the user. */
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
