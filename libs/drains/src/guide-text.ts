import type { Destination } from './sender.js';

export const VERIFIED_BY_ADDRESS =
  'Agents with published IP addresses or host names. The log includes the visitor’s address.';
export const VERIFIED_BY_SIGNATURE =
  'Agents with published IP addresses or host names, and agents that sign requests with Web Bot Auth';
export const SIGNATURE_HEADERS = ['signature', 'signature-input', 'signature-agent'];
export const MCP_HEADERS = ['mcp-method', 'mcp-name', 'mcp-protocol-version'];

export const toDrainUrl = ({ address }: Destination, source: string): string => `${address}/drains/${source}`;

export const toBearerHeader = ({ token }: Pick<Destination, 'token'>): string => `Bearer ${token}`;
