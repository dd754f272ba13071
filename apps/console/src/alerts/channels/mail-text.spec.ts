import { mailText } from './mail-text.js';

it.each([
  ['My shop', 'My shop'],
  ['shop.example', 'shop․example'],
  ['Pay at https://evil.example/a.b now', 'Pay at https: //evil․example/a․b now'],
  ['www.evil.example 192.0.2.1', 'www․evil․example 192․0․2․1'],
  ['me@evil.example', 'me＠evil․example'],
  ['a\r\nBcc: b\u2028c\u202Ed\u{e0041}e', 'a  Bcc: b c d e'],
  ['Done. Next', 'Done. Next'],
  ['x'.repeat(500), `${'x'.repeat(199)}…`],
])('converts %j to %j in emails', (text, expected) => expect(mailText(text)).toBe(expected));
