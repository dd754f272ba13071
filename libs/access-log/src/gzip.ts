/** Whether bytes are the start of gzip (RFC 1952), whatever the file is called. */
export const isGzip = (start: Uint8Array): boolean => start[0] === 0x1f && start[1] === 0x8b;
