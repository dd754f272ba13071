/** Returns true if passkeys are available. They require localhost, or HTTPS with a host name. */
export const supportsPasskeys = (): boolean =>
  'PublicKeyCredential' in window && !/^(?:[\d.]+|\[.*\])$/.test(window.location.hostname);

/** Returns the address of the current page on which passkeys could be available, or null if it's unknown. */
export function getPasskeyAddress({ hostname, host, port, pathname }: Location): string | null {
  if (/^(?:127\.[\d.]+|\[::1\])$/.test(hostname)) return `http://localhost:${port}${pathname}#passkeys`;
  return /^(?:[\d.]+|\[.*\])$/.test(hostname) ? null : `https://${host}${pathname}#passkeys`;
}

/** Returns the error to show after a failed or canceled passkey prompt. */
export function toPasskeyError(error: unknown): Error {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') {
    return new Error('The passkey prompt was canceled or timed out. Try again and confirm on your device.');
  }
  if (name === 'InvalidStateError') return new Error('This device already has a passkey for your account.');
  return error instanceof Error ? error : new Error(String(error));
}
