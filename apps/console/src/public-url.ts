/** Injection token for the public URL of this instance, without a trailing slash. */
export const PUBLIC_URL = Symbol('public URL');
