import type { PlainRequest } from './requests.js';

/** Number of distinct visitors whose requests must get no response in a row to open the breaker. */
const MAX_FAILED_VISITORS = 5;
/** How long the breaker stays open. During that time, requests pass without being checked. */
const OPEN_DURATION_MS = 10_000;
/** Matches private addresses. If the peer has one, it is the site's own proxy, so it doesn't tell visitors apart. */
const PRIVATE_ADDRESS =
  /^(?:::ffff:)?(?:10\.|127\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.168\.)|^(?:::1$|f[cd]|fe[89ab])/i;
/** Matches an element of `Forwarded` (RFC 7239), which also describes the proxy and the protocol. */
const FORWARDED_FOR = /(?:^|;)\s*for="?([^";]+)/i;
/** Matches an IPv6 address in brackets, or an IPv4 address with a port. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.[\d.]+):)/;

/**
 * Circuit breaker for an unreachable instance. Only requests without a response count. A single visitor can't open it,
 * because a request may time out due to its own content.
 */
export class CircuitBreaker {
  private readonly failedVisitors = new Set<string>();
  private openUntil = 0;

  get isOpen(): boolean {
    return performance.now() < this.openUntil;
  }

  recordSuccess(): void {
    this.failedVisitors.clear();
  }

  recordFailure(request: PlainRequest): void {
    if (this.failedVisitors.size < MAX_FAILED_VISITORS) this.failedVisitors.add(getVisitorKey(request));
    if (this.failedVisitors.size === MAX_FAILED_VISITORS) this.openUntil = performance.now() + OPEN_DURATION_MS;
  }
}

/**
 * Returns a key that visitors can't easily forge: the peer address or, behind a proxy, the last forwarded address. IPv6
 * addresses are truncated to their /48 prefix. Without any address, the key is the user agent.
 */
function getVisitorKey({ request_headers: headers, client_address: peer }: PlainRequest): string {
  if (peer && !PRIVATE_ADDRESS.test(peer)) return toNetwork(peer);
  const getLast = (name: string): string =>
    String(headers[name] ?? '')
      .split(',')
      .at(-1)!
      .trim();
  const node = getLast('x-forwarded-for') || FORWARDED_FOR.exec(getLast('forwarded'))?.[1] || getLast('x-real-ip');
  const [, ipv6, ipv4] = WITH_PORT.exec(node) ?? [];
  return toNetwork(ipv6 ?? ipv4 ?? (node || String(headers['user-agent'] ?? '')));
}

const toNetwork = (address: string): string =>
  /^[\da-f]*:[\da-f:.]*$/i.test(address) && !address.includes('.') ? address.split(':', 3).join(':') : address;
