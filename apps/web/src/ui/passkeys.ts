/** Returns true if passkeys work here. They require HTTPS with a host name, or localhost. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in window && !/^(?:[\d.]+|\[.*\])$/.test(window.location.hostname);

/** Returns the error to show after a failed or canceled passkey prompt. */
export function passkeyFault(error: unknown): Error {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') {
    return new Error('No passkey was used. Try again, and confirm on your device.');
  }
  if (name === 'InvalidStateError') return new Error('This device has a passkey for your account already.');
  return error instanceof Error ? error : new Error(String(error));
}
