/** Path to Debian's headless Chromium. Without the browser UI, it uses much less CPU time. */
export const CHROMIUM = '/usr/bin/chromium-headless-shell';
