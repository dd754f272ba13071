/** Requests that impersonate Googlebot with forged headers, for testing the engine and complete visits. */

/** Address in one of Googlebot's published ranges. */
export const FORGED_ADDRESS = '66.249.66.1';
export const VISITOR_ADDRESS = '198.51.100.9';

export interface ForgedRequest {
  name: string;
  /** Headers as the site receives them: forged by the visitor, then extended by the site's proxy. */
  headers: Record<string, string | string[]>;
  /** Header that the proxy appends to. It would be a mistake to configure a different header for the project. */
  appendedTo: 'x-forwarded-for' | 'forwarded';
}

const FORGED = FORGED_ADDRESS;
/** Edge server address in one of Cloudflare's published ranges, which are trusted. */
const EDGE_ADDRESS = '172.71.147.183';

/** Headers sent by the visitor, with their case preserved. */
const ATTACKS: Record<string, Record<string, string>> = {
  'a single entry': { 'X-Forwarded-For': FORGED },
  'an entry followed by a trusted edge': { 'X-Forwarded-For': `${FORGED}, ${EDGE_ADDRESS}` },
  'an entry followed by internal addresses': { 'X-Forwarded-For': `${FORGED}, 10.0.0.1, 172.17.0.1, fd00::1` },
  'an entry followed by special-purpose addresses': {
    'X-Forwarded-For': `${FORGED}, 198.18.0.5, 240.0.0.1, 64:ff9b::a00:1, ff02::1`,
  },
  'an IPv4 address translated to IPv6': { 'X-Forwarded-For': `64:ff9b::${FORGED}` },
  'Forwarded with empty elements': { Forwarded: `for=${FORGED},,;` },
  "an entry followed by the visitor's address": { 'X-Forwarded-For': `${FORGED}, ${VISITOR_ADDRESS}` },
  'the address before and after an unknown entry': { 'X-Forwarded-For': `${FORGED}, unknown, ${FORGED}` },
  '60 entries': { 'X-Forwarded-For': Array(60).fill(FORGED).join(', ') },
  'a list over the length limit': { 'X-Forwarded-For': `${'10.0.0.1, '.repeat(2_000)}${FORGED}` },
  'an entry followed by commas': { 'X-Forwarded-For': `${FORGED}${' ,'.repeat(5_000)}` },
  'a trailing comma': { 'X-Forwarded-For': `${FORGED},` },
  'an unclosed quote': { 'X-Forwarded-For': `"${FORGED}` },
  'a line break': { 'X-Forwarded-For': `${FORGED}\r\n ` },
  'a null character': { 'X-Forwarded-For': `${FORGED}\u0000` },
  'a full-width comma': { 'X-Forwarded-For': `${FORGED}\uFF0C` },
  'a port': { 'X-Forwarded-For': `${FORGED}:443` },
  'an IPv4-mapped address': { 'X-Forwarded-For': `::ffff:${FORGED}` },
  'an IPv4-mapped address in hexadecimal': { 'X-Forwarded-For': '[::ffff:42f9:4201]:80' },
  'other notations of the address': { 'X-Forwarded-For': '0x42f94201, 1123631617, 0102.0371.0102.1' },
  'header names in different cases': { 'x-forwarded-for': FORGED, 'X-FORWARDED-FOR': FORGED },
  'similar header names': {
    X_Forwarded_For: FORGED,
    'X-Forwarded': FORGED,
    'Forwarded-For': FORGED,
    'X-Original-For': FORGED,
  },
  'a Forwarded header': { Forwarded: `for=${FORGED}` },
  'Forwarded with a quoted address and port': { Forwarded: `For="${FORGED}:443";proto=https;by=10.0.0.1` },
  'Forwarded with an unclosed quote': { Forwarded: `for=${FORGED};host="` },
  'Forwarded with a trailing escape': { Forwarded: `for=${FORGED};host="\\` },
  'Forwarded with two addresses': { Forwarded: `for=${FORGED};for=10.0.0.1` },
  'Forwarded with a trailing semicolon': { Forwarded: `for=${FORGED};` },
  'Forwarded over the length limit': { Forwarded: `for=${FORGED};x="${'y'.repeat(5_000)}"` },
  'X-Forwarded-For and Forwarded': { 'X-Forwarded-For': FORGED, Forwarded: `for=${FORGED}` },
  'X-Forwarded-For, Forwarded, and X-Real-IP': {
    'X-Forwarded-For': FORGED,
    Forwarded: `for=${FORGED}`,
    'X-Real-IP': FORGED,
  },
  'X-Real-IP': { 'X-Real-IP': FORGED },
  'X-Client-IP and X-Cluster-Client-IP': { 'X-Client-IP': FORGED, 'X-Cluster-Client-IP': FORGED },
  'CF-Connecting-IP': { 'CF-Connecting-IP': FORGED },
  'CF-Connecting-IP, with a trusted edge in X-Forwarded-For': {
    'CF-Connecting-IP': FORGED,
    'X-Forwarded-For': `${FORGED}, ${EDGE_ADDRESS}`,
  },
  'True-Client-IP twice': { 'True-Client-IP': FORGED, 'true-client-ip': FORGED },
  'Fastly-Client-IP': { 'Fastly-Client-IP': FORGED },
  'Fly-Client-IP': { 'Fly-Client-IP': FORGED },
  'CloudFront-Viewer-Address': { 'CloudFront-Viewer-Address': `${FORGED}:443` },
  'headers added by a Google load balancer': {
    Via: '1.1 google',
    'X-Forwarded-For': `${FORGED},34.120.10.20,35.191.1.1`,
  },
  'an IPv4 address in CF-Connecting-IPv6': { 'CF-Connecting-IP': '240.1.2.3', 'CF-Connecting-IPv6': FORGED },
  "other networks' headers": Object.fromEntries(
    `Incap-Client-IP X-Sucuri-ClientIP Ali-CDN-Real-IP Ali-Real-Client-IP EO-Connecting-IP X-Vercel-Forwarded-For`
      .split(' ')
      .map((name) => [name, FORGED]),
  ),
  'all single-address headers at once': Object.fromEntries(
    `X-Real-IP X-Client-IP X-Cluster-Client-IP CF-Connecting-IP True-Client-IP Fastly-Client-IP Fly-Client-IP
    DO-Connecting-IP X-Azure-ClientIP X-Appengine-User-IP X-NF-Client-Connection-IP`
      .split(/\s+/)
      .map((name) => [name, FORGED]),
  ),
};

type Sent = Record<string, string>;
type Headers = ForgedRequest['headers'];

/** Proxies that append the visitor's address in different ways and pass on all other headers. */
const PROXIES: { manner: string; appendedTo: ForgedRequest['appendedTo']; append: (sent: Sent) => Headers }[] = [
  {
    manner: 'appended to the existing line',
    appendedTo: 'x-forwarded-for',
    append: (sent) => appendAddress(sent, 'X-Forwarded-For', (line) => [...line, VISITOR_ADDRESS].join(', ')),
  },
  {
    manner: 'appended as a separate line',
    appendedTo: 'x-forwarded-for',
    append: (sent) => appendAddress(sent, 'X-Forwarded-For', (line) => [...line, VISITOR_ADDRESS]),
  },
  {
    manner: 'appended to Forwarded',
    appendedTo: 'forwarded',
    append: (sent) => appendAddress(sent, 'Forwarded', (line) => [...line, `for="${VISITOR_ADDRESS}"`].join(', ')),
  },
];

/** Appends to the last header with that name, ignoring case. Earlier headers remain separate lines before it. */
function appendAddress(sent: Sent, name: string, append: (line: string[]) => string | string[]): Headers {
  const last = Object.keys(sent).findLast((other) => other.toLowerCase() === name.toLowerCase());
  return { ...sent, [last ?? name]: append(last === undefined ? [] : [sent[last]!]) };
}

/**
 * One request for each attack through each proxy. Each contains the visitor's real address. With default settings, the
 * result must be that address or none. With `mode: none`, it must be none.
 */
export const FORGED_REQUESTS: readonly ForgedRequest[] = Object.entries(ATTACKS).flatMap(([attack, sent]) =>
  PROXIES.map(({ manner, appendedTo, append }) => ({
    name: `${attack}, ${manner}`,
    headers: append(sent),
    appendedTo,
  })),
);
