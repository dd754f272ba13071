/** Nonce for style elements that components insert. The page's Content-Security-Policy requires it. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// The library that locks scrolling behind dialogs reads its nonce from here.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce;
