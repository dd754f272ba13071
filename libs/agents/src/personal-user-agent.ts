/** Fast pre-check: matches every User-Agent for which {@link isPersonal} can return true. */
const SIGN =
  /Android| Electron\/|; wv\)|CFNetwork\/|Dalvik\/|FBAN\/|HarmonyOS|i(?:Pad)?OS |iP(?:ad|hone|od)|KAIOS| okhttp\/|tvOS|visionOS|watchOS|Linux;|SMART-TV|Tizen|Web0S/;

/** Parts of program names that never occur in the name of a device or a personal app. */
const AUTOMATED = /bot|crawl|spider|scrap|fetch|scan/i;

/** Comments with a device model, such as `(Linux; U; Android 13; odin Build/TKQ1)`. */
const DEVICE = /\b(?:Android|HarmonyOS|KAIOS|SMART-TV|Tizen|Web0S)\b|^\(Linux;/;
const APP = / Electron\/|; wv\)|\bCFNetwork\/|\bDalvik\/|\bFBAN\/| okhttp\//;
/** Apps on Apple devices, such as `Name/1.0 (iPhone; iOS 18.5; Scale/3.00)`. */
const APPLE_APP = /^(?!Mozilla\/)[^(]{1,200}\([^()]{0,120}(?:iOS|iPadOS|tvOS|visionOS|watchOS) \d/;
/** Apps on Android, such as `Name/1.0 (Linux; Android 15; SM-S921B)`. */
const ANDROID_APP = /^(?!Mozilla\/)[^(]{1,200}\((?:Linux; )?(?:U; )?Android\b/i;
/** Browsers and web views on Apple devices. Only web views omit `Safari/`. */
const APPLE_WEB_VIEW = /\((?:iPhone|iPad|iPod touch);.{1,80}\) AppleWebKit\//i;

/**
 * Returns whether the text from `start` to `end` is a device model, or the product token of a personal app or an in-app
 * browser.
 */
export function isPersonal(text: string, start: number, end: number): boolean {
  if (AUTOMATED.test(text.slice(start, end)) || !SIGN.test(text)) return false;
  const comment = commentAround(text, start);
  if (comment === null) return APP.test(text) || APPLE_APP.test(text) || ANDROID_APP.test(text) || isAppleWebView(text);
  if (text[end] === '/' || comment.includes('compatible')) return false;
  return DEVICE.test(comment) || /\bAndroid $/i.test(text.slice(0, text.indexOf(comment)));
}

const isAppleWebView = (text: string): boolean => APPLE_WEB_VIEW.test(text) && !text.includes('Safari/');

/** Returns the comment that contains a position, from its opening parenthesis on. Returns null outside of comments. */
function commentAround(text: string, position: number): string | null {
  const opening = text.lastIndexOf('(', position);
  if (opening === -1 || text.lastIndexOf(')', position) > opening) return null;
  const closing = text.indexOf(')', position);
  return text.slice(opening, closing === -1 ? text.length : closing);
}
