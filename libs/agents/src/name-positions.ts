import { contactSpans, type ContactSpan } from './contact-spans.js';
import { isWholeName } from './name-bounds.js';
import { isPersonal } from './personal-user-agent.js';
import { isProse } from './prose.js';

/** Decides which positions in a User-Agent can name the sender. */
export class NamePositions {
  /** Most recently checked word, and the contact addresses in it. */
  private wordStart = 0;
  private wordEnd = 0;
  private contacts: readonly ContactSpan[] = [];

  constructor(readonly text: string) {}

  /**
   * Returns whether the text from `start` to `end` is a whole name. Text in a contact address doesn't count, unless the
   * entire address is this text, as a bare host name.
   */
  isName(start: number, end: number): boolean {
    if (!isWholeName(this.text, start, end)) return false;
    if (!mayBeContact(this.text, start, end)) return true;
    if (start < this.wordStart || start >= this.wordEnd) this.readWord(start);
    return !this.contacts.some((contact) => {
      const contactStart = this.wordStart + contact.start;
      const contactEnd = this.wordStart + contact.end;
      if (start < contactStart || end > contactEnd) return false;
      return !(contact.isBareHost && start === contactStart && end === contactEnd);
    });
  }

  private readWord(position: number): void {
    const { text } = this;
    this.wordStart = text.lastIndexOf(' ', position) + 1;
    const space = text.indexOf(' ', position + 1);
    this.wordEnd = space === -1 ? text.length : space;
    this.contacts = contactSpans(text.slice(this.wordStart, this.wordEnd));
  }

  /** Returns whether the text is a word in a sentence. Generic agents skip this check, because they accuse nobody. */
  isProse(start: number, end: number): boolean {
    return isProse(this.text, start, end);
  }

  /** Returns whether the text is a device model or a person's app. Searches the entire User-Agent. */
  isPersonal(start: number, end: number): boolean {
    return isPersonal(this.text, start, end);
  }
}

/** Maximum number of characters to check on either side. Few names are in longer words. */
const MAX_LOOK = 40;

/** Returns whether the characters around a name allow for a contact address. This rules out most names quickly. */
function mayBeContact(text: string, start: number, end: number): boolean {
  for (let index = start - 1; index >= 0; index--) {
    const code = text.charCodeAt(index);
    if (code === SPACE) break;
    if (code === SLASH || code === COLON || code === AT || code === DOT || start - index > MAX_LOOK) return true;
  }
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (index >= end && (code === SPACE || code === SEMICOLON || code === CLOSING)) return false;
    if (code === AT || code === COLON || code === OPENING || code === BRACKET || index - start > 2 * MAX_LOOK)
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
const OPENING = 0x28;
const CLOSING = 0x29;
const BRACKET = 0x5b;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
