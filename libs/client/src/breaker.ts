import type { PlainRequest } from './requests.js';

/** Visitors whose requests must fail in a row, without a success in between, before nobody waits any more. */
const MAX_FAILED_VISITORS = 5;
/** How long requests then pass without asking. */
const PAUSE_MS = 5_000;
/** Peers that are proxies of the site. */
const PRIVATE_ADDRESS =
  /^(?:::ffff:)?(?:10\.|127\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.168\.)|^(?:::1$|f[cd]|fe[89ab])/i;

/**
 * Stops asking an instance that doesn't respond. A single visitor can't stop it: a request may fail because of what its
 * sender put into it.
 */
export class Breaker {
  private readonly failedVisitors = new Set<string>();
  private openUntil = 0;

  get isOpen(): boolean {
    return performance.now() < this.openUntil;
  }

  succeeded(): void {
    this.failedVisitors.clear();
  }

  failed(request: PlainRequest): void {
    if (this.failedVisitors.size < MAX_FAILED_VISITORS) this.failedVisitors.add(visitorOf(request));
    if (this.failedVisitors.size === MAX_FAILED_VISITORS) this.openUntil = performance.now() + PAUSE_MS;
  }
}

/**
 * Returns something that a visitor can't choose freely: the peer, or the address that the nearest proxy added; of IPv6
 * addresses the /48. Without any address it's the user agent.
 */
function visitorOf({ request_headers: headers, client_address: peer }: PlainRequest): string {
  if (peer && !PRIVATE_ADDRESS.test(peer)) return network(peer);
  const forwarded = headers['x-forwarded-for'] ?? headers['forwarded'] ?? headers['x-real-ip'];
  const nearest = String(forwarded ?? '')
    .split(',')
    .at(-1)!
    .trim();
  return network(nearest || String(headers['user-agent'] ?? ''));
}

const network = (address: string): string =>
  /^[\da-f]*:[\da-f:.]*$/i.test(address) && !address.includes('.') ? address.split(':', 3).join(':') : address;
