/** Admits the style sheets that components make, under the page's Content-Security-Policy. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Where the library that locks scrolling behind a dialog looks for it.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce;
