import type { Destination } from './sender.js';

export const VERIFIED_BY_ADDRESS =
  'Agents with published IP addresses or host names. The log includes the visitor’s address.';
export const VERIFIED_BY_SIGNATURE =
  'Agents with published IP addresses or host names, and agents that sign requests with Web Bot Auth';
export const SIGNATURE_HEADERS = ['signature', 'signature-input', 'signature-agent'];
export const MCP_HEADERS = ['mcp-method', 'mcp-name', 'mcp-protocol-version'];
/** Payment headers of requests that contain neither a signature nor a token. */
export const OFFER_HEADERS = ['crawler-exact-price', 'crawler-max-price'];

/** Payment headers of responses. */
export const PAYMENT_RESPONSE_HEADERS = [
  'crawler-price',
  'crawler-charged',
  'crawler-error',
  'payment-required',
  'x-payment-required',
  'payment-response',
  'x-payment-response',
  'payment-receipt',
  'www-authenticate',
  'location',
];

export const toDrainUrl = ({ address }: Destination, source: string): string => `${address}/drains/${source}`;

export const toBearerHeader = ({ token }: Pick<Destination, 'token'>): string => `Bearer ${token}`;
