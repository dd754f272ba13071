import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { VisitSender, type FailedRequest, type Post } from '#libs/access-log';
import { CliError, ConnectionError, HttpError } from '../cli-error.js';
import type { InstanceClient } from '../client.js';

const compress = promisify(gzip);
/** The default level is much slower and saves little space. */
const COMPRESSION = { level: constants.Z_BEST_SPEED };
/** Time for in-flight requests to complete after an interrupt. */
const GRACE_PERIOD_MS = 3_000;

interface PostOptions {
  client: Pick<InstanceClient, 'send'>;
  token: string;
  /** Maximum time in milliseconds to retry a request while no other request succeeds. */
  retryPeriodMs: number;
  concurrency: number;
  signal: AbortSignal;
  onWait: (reason: string, milliseconds: number) => void;
}

/** Creates a function that posts batches of visits with a project's access token, with compression and retries. */
export function createPost({ client, token, ...options }: PostOptions): Post {
  const endController = new AbortController();
  const stop = () => setTimeout(() => endController.abort(), GRACE_PERIOD_MS).unref();
  if (options.signal.aborted) stop();
  else options.signal.addEventListener('abort', stop, { once: true });
  const sender = new VisitSender({
    ...options,
    send: async (body, headers) =>
      (await client.send('/visits', { method: 'POST', credential: token, headers, body, signal: endController.signal }))
        .headers,
    failedRequest: toFailedRequest,
    pack: (body) => compress(body, COMPRESSION),
    createTimeoutError: gaveUpError,
  });
  return (body, identity) => sender.post(body, identity);
}

function toFailedRequest(error: unknown): FailedRequest | null {
  if (error instanceof ConnectionError) return { status: null, message: error.message };
  if (!(error instanceof HttpError)) return null;
  const { status, message, retryAfter } = error;
  return { status, message, retryAfter };
}

function gaveUpError(error: unknown, retryPeriodMs: number): CliError {
  const { message, hint } = error as CliError;
  return new CliError(`Gave up after ${Math.round(retryPeriodMs / 1_000)} s. ${message}`, {
    hint: hint ?? 'Try again later, or use a longer retry time such as --retry-for 30m.',
    cause: error,
  });
}
