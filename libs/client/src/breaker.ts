import type { PlainRequest } from './requests.js';

/** Number of different visitors whose requests must fail, with no success in between, to open the breaker. */
const MAX_FAILED_VISITORS = 5;
/** How long the breaker stays open. Requests pass unchecked in the meantime. */
const PAUSE_MS = 5_000;
/** Private addresses: such a peer is a proxy of the site, not the visitor. */
const PRIVATE_ADDRESS =
  /^(?:::ffff:)?(?:10\.|127\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.168\.)|^(?:::1$|f[cd]|fe[89ab])/i;

/**
 * Circuit breaker for an instance that doesn't respond. A single visitor can't open it, because a request may fail due
 * to its own content.
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
 * Returns a key that the visitor can't choose freely: the peer address, or the last forwarded address if the peer is a
 * proxy of the site. IPv6 addresses are cut to /48. Falls back to the user agent if there is no address.
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
