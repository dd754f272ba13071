import { request } from 'undici';
import type { TestVisit } from '#libs/contracts';
import { CliError } from './cli-error.js';
import { visible } from './terminal-text.js';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 20_000_000;

interface TestAnswer {
  status: number;
  /**
   * Target of a redirect, or null. Redirects aren't followed, because the signature is only valid for the first URL.
   */
  location: string | null;
  /** Milliseconds until the response headers. */
  took: number;
}

/**
 * Sends a signed request without adding headers or following redirects.
 *
 * @param timeoutMs Timeout for the response. If its body is still incomplete, the rest is ignored.
 */
export async function sendTestVisit(
  { method, url, headers }: TestVisit,
  timeoutMs: number = TIMEOUT_MS,
): Promise<TestAnswer> {
  const start = performance.now();
  try {
    const {
      statusCode,
      headers: answered,
      body,
    } = await request(url, {
      method: method as 'GET',
      headers,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const took = Math.round(performance.now() - start);
    // Sites report a visit after the response is sent, so read it to the end. Its content doesn't matter.
    await body.dump({ limit: MAX_BYTES }).catch(() => undefined);
    const location = [answered.location ?? []].flat()[0] ?? null;
    return { status: statusCode, location, took };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new CliError(visible(`The site does not answer at ${url} (${message || code || 'connection failed'}).`), {
      hint: 'Check that it can be reached from this machine. A firewall may block this client.',
      cause: error,
    });
  }
}

export function describeTestVisit(visit: TestVisit, { status, location, took }: TestAnswer): string {
  const agent = visible(visit.agent_token);
  return [
    `Signed as ${agent}, key ${visible(visit.key_id)} of ${visible(visit.signature_agent)}`,
    `${visible(visit.method)} ${visible(visit.url)} → ${status} in ${took} ms`,
    ...adviceOn(status, location),
    '',
    `The site's integration now reports this visit; it should show up as ${agent}, verified:`,
    `  agent-traffic visits tail --agent "${agent}"`,
  ].join('\n');
}

function adviceOn(status: number, location: string | null): string[] {
  if (location !== null) return [`The site sends on to ${visible(location)}; test that address to see its visits.`];
  if (status === 401 || status === 403 || status === 429) {
    return ['The site, or what stands before it, refuses bots; its integration may not have seen the request.'];
  }
  return status >= 500 ? ['The site answers with an error; its integration may not have seen the request.'] : [];
}
