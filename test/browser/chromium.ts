/** Of Debian. The window around the page, which nobody sees, is left out: it takes a quarter of the processor time. */
export const CHROMIUM = '/usr/bin/chromium-headless-shell';
