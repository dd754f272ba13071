/** Debian's Chromium without the browser UI, which would use a lot of CPU time. */
export const CHROMIUM = '/usr/bin/chromium-headless-shell';
