import type { Destination } from './sender.js';

export const BY_ADDRESS = 'Agents with published addresses or host names: the log has the visitor’s address.';
export const BY_SIGNATURE = 'Agents with published addresses or host names, and Web Bot Auth signatures';
export const SIGNATURE_HEADERS = ['signature', 'signature-input', 'signature-agent'];

export const urlOf = ({ address }: Destination, source: string): string => `${address}/drains/${source}`;

export const bearer = ({ token }: Pick<Destination, 'token'>): string => `Bearer ${token}`;
