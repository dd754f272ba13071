import { findContactSpans, type ContactSpan } from './contact-spans.js';
import { isWholeName } from './name-bounds.js';
import { isPersonal } from './personal-user-agent.js';
import { isProse } from './prose.js';

/** Determines which positions in a User-Agent can contain the name of the sender. */
export class NamePositions {
  /** Bounds and contact addresses of the most recently checked word. */
  private wordStart = 0;
  private wordEnd = 0;
  private contacts: readonly ContactSpan[] = [];

  constructor(readonly text: string) {}

  /**
   * Returns true if the text from `start` to `end` is a whole name. Text in a contact address is rejected unless it is
   * the entire address, in the form of a bare host name.
   */
  isName(start: number, end: number): boolean {
    if (!isWholeName(this.text, start, end)) return false;
    if (!mayBeInContact(this.text, start, end)) return true;
    if (start < this.wordStart || start >= this.wordEnd) this.parseWordAt(start);
    return !this.contacts.some((contact) => {
      const contactStart = this.wordStart + contact.start;
      const contactEnd = this.wordStart + contact.end;
      if (start < contactStart || end > contactEnd) return false;
      return !(contact.isBareHost && start === contactStart && end === contactEnd);
    });
  }

  private parseWordAt(position: number): void {
    const { text } = this;
    this.wordStart = text.lastIndexOf(' ', position) + 1;
    const space = text.indexOf(' ', position + 1);
    this.wordEnd = space === -1 ? text.length : space;
    this.contacts = findContactSpans(text.slice(this.wordStart, this.wordEnd));
  }

  /** Returns true if the text is a word in a sentence. */
  isProse(start: number, end: number): boolean {
    return isProse(this.text, start, end);
  }

  /** Returns true if the text is a device model or an end-user app. Scans the entire User-Agent, so it is slow. */
  isPersonal(start: number, end: number): boolean {
    return isPersonal(this.text, start, end);
  }
}

/** Number of characters to check before a name. After it, twice as many are checked. */
const MAX_CHECKED_CHARACTERS = 40;

/** Fast check of the characters around a name. Returns false if it definitely isn't in a contact address. */
function mayBeInContact(text: string, start: number, end: number): boolean {
  for (let index = start - 1; index >= 0; index--) {
    const code = text.charCodeAt(index);
    if (code === SPACE) break;
    if (code === SLASH || code === COLON || code === AT || code === DOT || start - index > MAX_CHECKED_CHARACTERS)
      return true;
  }
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (index >= end && (code === SPACE || code === SEMICOLON || code === CLOSING_PARENTHESIS)) return false;
    if (
      code === AT ||
      code === COLON ||
      code === OPENING_PARENTHESIS ||
      code === OPENING_BRACKET ||
      index - start > 2 * MAX_CHECKED_CHARACTERS
    )
      return true;
    if (code === DOT && !isDigit(text.charCodeAt(index + 1))) return true;
  }
  return false;
}

const SPACE = 0x20;
const SLASH = 0x2f;
const COLON = 0x3a;
const SEMICOLON = 0x3b;
const AT = 0x40;
const DOT = 0x2e;
const OPENING_PARENTHESIS = 0x28;
const CLOSING_PARENTHESIS = 0x29;
const OPENING_BRACKET = 0x5b;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
