import { array, assert, constantFrom, nat, oneof, property, string, tuple, uuid } from 'fast-check';
import { userAgentGroup } from './user-agent-group.js';

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

describe('userAgentGroup', () => {
  it('is idempotent', () => {
    assert(
      property(userAgents, (parts) => {
        const group = userAgentGroup(parts.join(''));
        expect(userAgentGroup(group)).toBe(group);
      }),
    );
  });

  it('ignores version numbers', () => {
    const versions = tuple(nat(99), nat(99), nat(9_999)).map((numbers) => numbers.join('.'));
    assert(
      property(versions, versions, (one, other) => {
        const sent = (version: string) =>
          `Acme-Fetch/${version} (build ${version}; https://acme.example/) lib${version}`;
        expect(userAgentGroup(sent(one))).toBe(userAgentGroup(sent(other)));
      }),
    );
  });
});
