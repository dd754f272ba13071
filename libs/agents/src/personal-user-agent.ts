/** Fast check that matches every User-Agent for which {@link isPersonal} can return true. */
const PERSONAL_HINT =
  /Android| Electron\/|; wv\)|CFNetwork\/|Dalvik\/|FBAN\/|HarmonyOS|i(?:Pad)?OS |iP(?:ad|hone|od)|KAIOS| [Oo]k[Hh]ttp\/|tvOS|visionOS|watchOS|Linux;|SMART-TV|Tizen|Web0S/;

/** Parts of program names that never occur in the names of devices or end-user apps. */
const AUTOMATED_NAME = /bot|crawl|spider|scrap|fetch|scan/i;

/** Comments with a device model, such as `(Linux; U; Android 13; odin Build/TKQ1)`. */
const DEVICE_COMMENT = /\b(?:Android|HarmonyOS|KAIOS|SMART-TV|Tizen|Web0S)\b|^\(Linux;/;
const APP = / Electron\/|; wv\)|\bCFNetwork\/|\bDalvik\/|\bFBAN\/| [Oo]k[Hh]ttp\//;
/** Apps on Apple devices, such as `Name/1.0 (iPhone; iOS 18.5; Scale/3.00)`. */
const APPLE_APP = /^(?!Mozilla\/)[^(]{1,200}\([^()]{0,120}(?:iOS|iPadOS|tvOS|visionOS|watchOS) \d/;
/** Apps on Android, such as `Name/1.0 (Linux; Android 15; SM-S921B)`. */
const ANDROID_APP = /^(?!Mozilla\/)[^(]{1,200}\((?:Linux; )?(?:U; )?Android\b/i;
/** Browsers and web views on iOS. Only web views omit `Safari/`. */
const APPLE_WEB_VIEW = /\((?:iPhone|iPad|iPod touch);.{1,80}\) AppleWebKit\//i;

/**
 * Returns true if the text from `start` to `end` is a device model, or the product token of an end-user app or in-app
 * browser.
 */
export function isPersonal(text: string, start: number, end: number): boolean {
  if (AUTOMATED_NAME.test(text.slice(start, end)) || !PERSONAL_HINT.test(text)) return false;
  const comment = findComment(text, start);
  if (comment === null) return APP.test(text) || APPLE_APP.test(text) || ANDROID_APP.test(text) || isAppleWebView(text);
  if (text[end] === '/' || comment.includes('compatible')) return false;
  return DEVICE_COMMENT.test(comment) || /\bAndroid $/i.test(text.slice(0, text.indexOf(comment)));
}

const isAppleWebView = (text: string): boolean => APPLE_WEB_VIEW.test(text) && !text.includes('Safari/');

/** Returns the comment containing a position, including its opening parenthesis, or null if there is none. */
function findComment(text: string, position: number): string | null {
  const opening = text.lastIndexOf('(', position);
  if (opening === -1 || text.lastIndexOf(')', position) > opening) return null;
  const closing = text.indexOf(')', position);
  return text.slice(opening, closing === -1 ? text.length : closing);
}
