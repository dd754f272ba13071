import { contactSpans, type ContactSpan } from './contact-spans.js';
import { isWholeName } from './name-bounds.js';
import { isPersonal } from './personal-user-agent.js';
import { isProse } from './prose.js';

/** Positions in a User-Agent where a name can name its sender. */
export class NamePositions {
  /** The word looked at last, and the contact addresses in it. */
  private wordStart = 0;
  private wordEnd = 0;
  private contacts: readonly ContactSpan[] = [];

  constructor(readonly text: string) {}

  /** Whether the text from `start` to `end` is a whole name outside of contact addresses, or the whole of a host name. */
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

  /** Whether it is a word in a sentence. Doesn't matter for generic agents, which accuse nobody. */
  isProse(start: number, end: number): boolean {
    return isProse(this.text, start, end);
  }

  /** Whether it is a device's model or a person's app. Looks at the entire text. */
  isPersonal(start: number, end: number): boolean {
    return isPersonal(this.text, start, end);
  }
}

/** Characters looked at on either side; few names have as long a word around them. */
const MAX_LOOK = 40;

/** Whether the characters around a name leave the possibility of a contact address. Most names stand by themselves. */
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
