/** Nonce that the Content-Security-Policy requires on style elements inserted by components. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// This global is read by the library that locks scrolling while a dialog is open.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce;
