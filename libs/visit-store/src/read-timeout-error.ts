export class ReadTimeoutError extends Error {}
