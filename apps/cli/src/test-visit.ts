import type { TestVisit } from '#libs/contracts';
import { CliError } from './cli-error.js';
import { escapeInvisible } from './terminal-text.js';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 20_000_000;

interface TestResponse {
  status: number;
  /**
   * Redirect target, or null. Redirects aren't followed, because the signature is only valid for the original URL.
   */
  location: string | null;
  /** Time until the response headers arrived, in milliseconds. */
  took: number;
}

/**
 * Sends a signed request without additional headers. Redirects aren't followed.
 *
 * @param timeoutMs Timeout for the response headers and body. A body that is still incomplete then isn't an error.
 */
export async function sendTestVisit(
  { method, url, headers }: TestVisit,
  timeoutMs: number = TIMEOUT_MS,
): Promise<TestResponse> {
  // Imported on demand, because it loads slowly.
  const { request } = await import('undici');
  const start = performance.now();
  try {
    const {
      statusCode,
      headers: responseHeaders,
      body,
    } = await request(url, {
      method: method as 'GET',
      headers,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const took = Math.round(performance.now() - start);
    // Read the entire body, because sites report a visit after sending the response.
    await body.dump({ limit: MAX_BYTES }).catch(() => undefined);
    const location = [responseHeaders.location ?? []].flat()[0] ?? null;
    return { status: statusCode, location, took };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new CliError(escapeInvisible(`Can't reach the site at ${url} (${message || code || 'connection failed'}).`), {
      hint: 'Check that the site is reachable from this machine. A firewall may block this client.',
      cause: error,
    });
  }
}

export function describeTestVisit(visit: TestVisit, { status, location, took }: TestResponse): string {
  const agent = escapeInvisible(visit.agent_token);
  return [
    `Signed as ${agent} with key ${escapeInvisible(visit.key_id)} from ${escapeInvisible(visit.signature_agent)}`,
    `${escapeInvisible(visit.method)} ${escapeInvisible(visit.url)} → ${status} in ${took} ms`,
    ...getAdvice(status, location),
    '',
    `The site's integration should now report this visit as ${agent}, verified:`,
    `  agent-traffic visits tail --agent "${agent}"`,
  ].join('\n');
}

function getAdvice(status: number, location: string | null): string[] {
  if (location !== null) return [`The site redirects to ${escapeInvisible(location)}. Test that URL instead.`];
  if (status === 401 || status === 403 || status === 429) {
    return ['The site or a proxy in front of it blocks bots, so its integration may not have seen the request.'];
  }
  return status >= 500 ? ['The site responded with an error, so its integration may not have seen the request.'] : [];
}
