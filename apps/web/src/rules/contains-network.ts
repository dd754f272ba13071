/** Returns true if a network or address in CIDR notation is part of another one. Ranges of IPv6 must be identical. */
export function containsNetwork(outer: string, inner: string): boolean {
  if (outer.toLowerCase() === inner.toLowerCase()) return true;
  const [wide, narrow] = [parseIpv4(outer), parseIpv4(inner)];
  if (wide === null || narrow === null || wide.bits > narrow.bits) return false;
  const size = 2 ** (32 - wide.bits);
  return Math.floor(wide.address / size) === Math.floor(narrow.address / size);
}

function parseIpv4(text: string): { address: number; bits: number } | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/.exec(text);
  if (match === null) return null;
  const address = match.slice(1, 5).reduce((sum, byte) => sum * 256 + Number(byte), 0);
  return { address, bits: Number(match[5] ?? 32) };
}

/** Returns an address in a network in CIDR notation: the first that isn't the network's own. */
export function toAddressIn(network: string): string {
  const [base = '', bits] = network.split('/');
  if (bits === undefined) return base;
  if (base.endsWith('::')) return `${base}1`;
  const parsed = parseIpv4(network);
  if (parsed === null || parsed.bits > 30) return base;
  const bytes = base.split('.').map(Number);
  return [...bytes.slice(0, 3), bytes[3]! + 1].join('.');
}
