/** Returns true if passkeys are available. They require localhost, or HTTPS with a host name. */
export const supportsPasskeys = (): boolean =>
  'PublicKeyCredential' in window && !/^(?:[\d.]+|\[.*\])$/.test(window.location.hostname);

/** Returns the error to show after a failed or canceled passkey prompt. */
export function toPasskeyError(error: unknown): Error {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') {
    return new Error('The passkey prompt was canceled or timed out. Try again and confirm on your device.');
  }
  if (name === 'InvalidStateError') return new Error('This device already has a passkey for your account.');
  return error instanceof Error ? error : new Error(String(error));
}
