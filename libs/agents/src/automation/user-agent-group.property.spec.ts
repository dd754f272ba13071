import { array, assert, constantFrom, nat, oneof, property, string, tuple, uuid } from 'fast-check';
import { toUserAgentGroup } from './user-agent-group.js';

const words = constantFrom(
  'Acme',
  'Bot',
  'build ',
  'run-',
  '/',
  ' ',
  '; ',
  '.',
  '-',
  '_',
  '(',
  ')',
  '+',
  'v',
  'x86_64',
);
const userAgents = array(oneof(words, nat().map(String), uuid(), string()), { maxLength: 12 });

describe('toUserAgentGroup', () => {
  it('maps a user agent group to itself', () => {
    assert(
      property(userAgents, (parts) => {
        const group = toUserAgentGroup(parts.join(''));
        expect(toUserAgentGroup(group)).toBe(group);
      }),
    );
  });

  it('returns the same group for all versions of a program', () => {
    const versions = tuple(nat(99), nat(99), nat(9_999)).map((numbers) => numbers.join('.'));
    assert(
      property(versions, versions, (one, other) => {
        const toUserAgent = (version: string) =>
          `Acme-Fetch/${version} (build ${version}; https://acme.example/) lib${version}`;
        expect(toUserAgentGroup(toUserAgent(one))).toBe(toUserAgentGroup(toUserAgent(other)));
      }),
    );
  });
});
