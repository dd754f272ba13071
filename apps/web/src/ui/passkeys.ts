/** Whether browsers have passkeys here: over https by a name, and at localhost. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in window && !/^(?:[\d.]+|\[.*\])$/.test(window.location.hostname);

/** The sentence to show where the browser or its person gave up. */
export function passkeyFault(error: unknown): Error {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') {
    return new Error('No passkey was used. Try again, and confirm on your device.');
  }
  if (name === 'InvalidStateError') return new Error('This device has a passkey for your account already.');
  return error instanceof Error ? error : new Error(String(error));
}
