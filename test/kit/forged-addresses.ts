/** Requests that impersonate Googlebot with forged headers, for tests of the engine and of whole visits. */

/** Address in Googlebot's published ranges. */
export const FORGED_ADDRESS = '66.249.66.1';
export const VISITOR_ADDRESS = '198.51.100.9';

export interface ForgedShape {
  name: string;
  /** Headers as the site receives them: forged by the visitor, then extended by the proxy in front of the site. */
  headers: Record<string, string | string[]>;
  /** Header that the proxy appended to. A project can't correctly configure any other. */
  appendedTo: 'x-forwarded-for' | 'forwarded';
}

const F = FORGED_ADDRESS;
/** Edge in Cloudflare's published ranges, which are trusted. */
const EDGE = '172.71.147.183';

/** Headers that the visitor sends, in the case they're sent in. */
const ATTACKS: Record<string, Record<string, string>> = {
  'one entry': { 'X-Forwarded-For': F },
  'a trusted edge behind it': { 'X-Forwarded-For': `${F}, ${EDGE}` },
  'internal addresses behind it': { 'X-Forwarded-For': `${F}, 10.0.0.1, 172.17.0.1, fd00::1` },
  'special-purpose addresses behind it': { 'X-Forwarded-For': `${F}, 198.18.0.5, 240.0.0.1, 64:ff9b::a00:1, ff02::1` },
  'an address translated to IPv6': { 'X-Forwarded-For': `64:ff9b::${F}` },
  'a Forwarded with empty elements': { Forwarded: `for=${F},,;` },
  'the visitor himself behind it': { 'X-Forwarded-For': `${F}, ${VISITOR_ADDRESS}` },
  'the address on both sides': { 'X-Forwarded-For': `${F}, unknown, ${F}` },
  'sixty entries': { 'X-Forwarded-For': Array(60).fill(F).join(', ') },
  'a list longer than is read': { 'X-Forwarded-For': `${'10.0.0.1, '.repeat(2_000)}${F}` },
  'nothing but commas behind it': { 'X-Forwarded-For': `${F}${' ,'.repeat(5_000)}` },
  'a comma at the end': { 'X-Forwarded-For': `${F},` },
  'a quote left open': { 'X-Forwarded-For': `"${F}` },
  'a line break': { 'X-Forwarded-For': `${F}\r\n ` },
  'a null character': { 'X-Forwarded-For': `${F}\u0000` },
  'a full-width comma': { 'X-Forwarded-For': `${F}\uFF0C` },
  'a port': { 'X-Forwarded-For': `${F}:443` },
  'an IPv4-mapped address': { 'X-Forwarded-For': `::ffff:${F}` },
  'an IPv4-mapped address in hexadecimal': { 'X-Forwarded-For': '[::ffff:42f9:4201]:80' },
  'other notations of the address': { 'X-Forwarded-For': '0x42f94201, 1123631617, 0102.0371.0102.1' },
  'the name in other cases': { 'x-forwarded-for': F, 'X-FORWARDED-FOR': F },
  'a name that looks alike': { X_Forwarded_For: F, 'X-Forwarded': F, 'Forwarded-For': F, 'X-Original-For': F },
  'a Forwarded': { Forwarded: `for=${F}` },
  'a Forwarded, quoted, with a port': { Forwarded: `For="${F}:443";proto=https;by=10.0.0.1` },
  'a Forwarded with a quote left open': { Forwarded: `for=${F};host="` },
  'a Forwarded that ends in an escape': { Forwarded: `for=${F};host="\\` },
  'a Forwarded with two addresses': { Forwarded: `for=${F};for=10.0.0.1` },
  'a Forwarded that goes on': { Forwarded: `for=${F};` },
  'a Forwarded longer than is read': { Forwarded: `for=${F};x="${'y'.repeat(5_000)}"` },
  'both lists': { 'X-Forwarded-For': F, Forwarded: `for=${F}` },
  'both lists and a single address': { 'X-Forwarded-For': F, Forwarded: `for=${F}`, 'X-Real-IP': F },
  'X-Real-IP': { 'X-Real-IP': F },
  'X-Client-IP and X-Cluster-Client-IP': { 'X-Client-IP': F, 'X-Cluster-Client-IP': F },
  'CF-Connecting-IP': { 'CF-Connecting-IP': F },
  'CF-Connecting-IP and an edge in the list': { 'CF-Connecting-IP': F, 'X-Forwarded-For': `${F}, ${EDGE}` },
  'True-Client-IP twice': { 'True-Client-IP': F, 'true-client-ip': F },
  'Fastly-Client-IP': { 'Fastly-Client-IP': F },
  'Fly-Client-IP': { 'Fly-Client-IP': F },
  'CloudFront-Viewer-Address': { 'CloudFront-Viewer-Address': `${F}:443` },
  'a Google load balancer': { Via: '1.1 google', 'X-Forwarded-For': `${F},34.120.10.20,35.191.1.1` },
  'an IPv4 address in place of IPv6': { 'CF-Connecting-IP': '240.1.2.3', 'CF-Connecting-IPv6': F },
  'headers of other networks': Object.fromEntries(
    `Incap-Client-IP X-Sucuri-ClientIP Ali-CDN-Real-IP Ali-Real-Client-IP EO-Connecting-IP X-Vercel-Forwarded-For`
      .split(' ')
      .map((name) => [name, F]),
  ),
  'every single address at once': Object.fromEntries(
    `X-Real-IP X-Client-IP X-Cluster-Client-IP CF-Connecting-IP True-Client-IP Fastly-Client-IP Fly-Client-IP
    DO-Connecting-IP X-Azure-ClientIP X-Appengine-User-IP X-NF-Client-Connection-IP`
      .split(/\s+/)
      .map((name) => [name, F]),
  ),
};

type Sent = Record<string, string>;
type Headers = ForgedShape['headers'];

/** Proxies that append the visitor's address in different ways and pass on all other headers. */
const PROXIES: { manner: string; appendedTo: ForgedShape['appendedTo']; append: (sent: Sent) => Headers }[] = [
  {
    manner: 'appended to the line',
    appendedTo: 'x-forwarded-for',
    append: (sent) => appended(sent, 'X-Forwarded-For', (line) => [...line, VISITOR_ADDRESS].join(', ')),
  },
  {
    manner: 'appended as a line of its own',
    appendedTo: 'x-forwarded-for',
    append: (sent) => appended(sent, 'X-Forwarded-For', (line) => [...line, VISITOR_ADDRESS]),
  },
  {
    manner: 'appended to Forwarded',
    appendedTo: 'forwarded',
    append: (sent) => appended(sent, 'Forwarded', (line) => [...line, `for="${VISITOR_ADDRESS}"`].join(', ')),
  },
];

/** Appends to the last header with that name, in any case. Earlier headers are separate lines before it. */
function appended(sent: Sent, name: string, append: (line: string[]) => string | string[]): Headers {
  const last = Object.keys(sent).findLast((other) => other.toLowerCase() === name.toLowerCase());
  return { ...sent, [last ?? name]: append(last === undefined ? [] : [sent[last]!]) };
}

/**
 * Every attack through every proxy. Each request includes the visitor's address, so the default settings must find that
 * address or none. With `mode: none`, they must find none.
 */
export const FORGED_SHAPES: readonly ForgedShape[] = Object.entries(ATTACKS).flatMap(([attack, sent]) =>
  PROXIES.map(({ manner, appendedTo, append }) => ({
    name: `${attack}, ${manner}`,
    headers: append(sent),
    appendedTo,
  })),
);
