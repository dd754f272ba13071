/** Returns true if the data starts with the gzip magic number (RFC 1952). */
export const isGzip = (start: Uint8Array): boolean => start[0] === 0x1f && start[1] === 0x8b;
