import { Type } from 'typebox';
import { cursorCodec } from './cursor.js';
import { StoredText } from './text.schema.js';
import { MAX_TIME, MIN_TIME } from './timestamp.js';

const Time = Type.Integer({ minimum: MIN_TIME, maximum: MAX_TIME });
const codec = cursorCodec({ time: Time, token: StoredText({ maxLength: 500 }) });
const encode = (text: string): string => Buffer.from(text).toString('base64url');

it.each([
  [0, ''],
  [MIN_TIME, 'GPTBot'],
  [MAX_TIME, '😀'.repeat(500)],
])('round-trips a cursor with time %d and token %s', (time, token) => {
  expect(codec.read(codec.write({ time, token }))).toEqual({ time, token });
});

it.each([
  ['an empty string', ''],
  ['text that is not base64url', `${encode('{"time":0,"token":""}')}=`],
  ['malformed JSON', encode('{"time":0')],
  ['a bare value', encode('0')],
  ['an array', encode('[0,""]')],
  ['a missing field', encode('{"time":0}')],
  ['an unknown field', encode('{"time":0,"token":"","other":0}')],
  ['an inherited field', encode('{"__proto__":{"time":0,"token":""}}')],
  ['a time that is too early', encode(`{"time":${MIN_TIME - 1},"token":""}`)],
  ['a time that is too late', encode(`{"time":${MAX_TIME + 1},"token":""}`)],
  ['a fractional time', encode('{"time":0.5,"token":""}')],
  ['a time as a string', encode('{"time":"0","token":""}')],
  ['infinity', encode('{"time":1e999,"token":""}')],
  ['NUL', encode('{"time":0,"token":"\\u0000"}')],
  ['a lone surrogate', encode('{"time":0,"token":"\\ud800"}')],
  ['a cursor of several megabytes', encode(`{"time":0,"token":""${' '.repeat(2_000_000)}}`)],
])('rejects %s as a cursor', (_, text) => {
  expect(codec.read(text)).toBeNull();
});
