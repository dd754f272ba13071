import { countListFaults, explainListFault } from './list-fault.js';

it.each([
  ['address_refused: api.ahrefs.com has no public address', 'The host name doesn’t resolve to a public address'],
  ['bad_status: status 503', 'The server responded with status 503'],
  ['implausible: it is empty', 'The new list was rejected because it is empty'],
  ['a fault of a later version', 'a fault of a later version'],
])('explains %s', (fault, text) => expect(explainListFault(fault)).toBe(text));

it('counts lists by cause, most common first', () => {
  expect(countListFaults(['too_large: 1', 'encoded: gzip', 'encoded: br'])).toEqual([
    ['The server sent the list compressed', 2],
    ['The list is too large', 1],
  ]);
});
