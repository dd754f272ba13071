import { Type } from 'typebox';
import { cursorCodec } from './cursor.js';
import { StoredText } from './text.schema.js';
import { MAX_TIME, MIN_TIME } from './timestamp.js';

const Time = Type.Integer({ minimum: MIN_TIME, maximum: MAX_TIME });
const codec = cursorCodec({ time: Time, token: StoredText({ maxLength: 500 }) });
const ofText = (text: string): string => Buffer.from(text).toString('base64url');

it.each([
  [0, ''],
  [MIN_TIME, 'GPTBot'],
  [MAX_TIME, '😀'.repeat(500)],
])('reads what it wrote of %d and %s', (time, token) => {
  expect(codec.read(codec.write({ time, token }))).toEqual({ time, token });
});

it.each([
  ['nothing', ''],
  ['what is not base64url', `${ofText('{"time":0,"token":""}')}=`],
  ['what is not JSON', ofText('{"time":0')],
  ['a bare value', ofText('0')],
  ['an array', ofText('[0,""]')],
  ['too little', ofText('{"time":0}')],
  ['too much', ofText('{"time":0,"token":"","other":0}')],
  ['what it inherits', ofText('{"__proto__":{"time":0,"token":""}}')],
  ['a time before all', ofText(`{"time":${MIN_TIME - 1},"token":""}`)],
  ['a time after all', ofText(`{"time":${MAX_TIME + 1},"token":""}`)],
  ['a time with a fraction', ofText('{"time":0.5,"token":""}')],
  ['a time as text', ofText('{"time":"0","token":""}')],
  ['infinity', ofText('{"time":1e999,"token":""}')],
  ['NUL', ofText('{"time":0,"token":"\\u0000"}')],
  ['half a surrogate pair', ofText('{"time":0,"token":"\\ud800"}')],
  ['a text of megabytes', ofText(`{"time":0,"token":""${' '.repeat(2_000_000)}}`)],
])('refuses %s', (_, text) => {
  expect(codec.read(text)).toBeNull();
});
