import { hash } from 'node:crypto';

/** Returns the database key for a group: the first 32 bits of its SHA-256 hash, as a PostgreSQL `integer`. */
export const hashUserAgentGroup = (group: string): number => hash('sha256', group, 'buffer').readInt32BE(0);
