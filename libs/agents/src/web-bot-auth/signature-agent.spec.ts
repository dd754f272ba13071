import { readFileSync } from 'node:fs';
import { resolveClaimedAgent, parseSignatureAgent } from './signature-agent.js';
import type { CoveredComponent } from './signature-fields.js';

interface ParsingVector {
  header: string;
  members: Record<string, string>;
  directory_url?: string;
}

const vectors = JSON.parse(readFileSync(new URL('../../vectors/web-bot-auth.json', import.meta.url), 'utf8')) as {
  signature_agent_parsing: ParsingVector[];
};

/** Returns components that cover the members with the given keys. `null` covers the entire field. */
function coverMembers(...keys: (string | null)[]): CoveredComponent[] {
  return keys.map((key) => ({
    identifier: '',
    name: 'signature-agent',
    parameters: new Map(key === null ? [] : [['key', key]]),
  }));
}

const resolveAgent = (header: string | undefined, label: string, components: CoveredComponent[]) =>
  resolveClaimedAgent(parseSignatureAgent(header), label, components);

describe('resolveClaimedAgent', () => {
  it.each(vectors.signature_agent_parsing)('parses $header', ({ header, members, directory_url }) => {
    for (const [key, agent] of Object.entries(members)) {
      const result = resolveAgent(header, 'sig1', coverMembers(key === '' ? null : key));
      expect(result).toMatchObject({ agent, fault: null });
      if (directory_url !== undefined) expect(result.directoryUrl).toBe(directory_url);
    }
    // An IP address makes a valid URL, although no catalog contains one.
    if (Object.keys(members).length === 0 && !header.includes('127.0.0.1')) {
      expect(resolveAgent(header, 'sig1', coverMembers('sig1')).fault).not.toBeNull();
    }
  });

  it.each([
    ['a="https://a.test", b="https://b.test"', 'b', ['b', 'a'], 'https://b.test'],
    ['a="https://a.test", b="https://b.test"', 'c', ['a'], 'https://a.test'],
    ['a="https://a.test", b="https://b.test"', 'b', [null], 'https://b.test'],
    ['a="https://a.test"', 'b', [null], 'https://a.test'],
    ['a=1, b="https://b.test"', 'b', ['b'], 'https://b.test'],
    ['"https://a.test"', 'b', [null], 'https://a.test'],
  ] as const)('resolves the agent in %s for label %s covering %j', (header, label, keys, agent) => {
    expect(resolveAgent(header, label, coverMembers(...keys))).toMatchObject({ agent, fault: null });
  });

  it.each([
    [undefined, [null], 'signature_agent_absent'],
    ['', [null], 'signature_agent_absent'],
    ['a="https://a.test", b="https://b.test"', [null], 'signature_agent_ambiguous'],
    ['a="https://a.test", b="https://b.test"', ['a', 'b'], 'signature_agent_ambiguous'],
    ['a="https://a.test"', ['b'], 'signature_agent_member_missing'],
    ['"https://a.test"', ['sig1'], 'signature_agent_member_missing'],

    ['a=?1', ['a'], 'signature_agent_unparsable'],
    ['a=7', ['a'], 'signature_agent_unparsable'],
    ['a=https', ['a'], 'signature_agent_unparsable'],
    ['a=("https://a.test")', ['a'], 'signature_agent_unparsable'],
    ['"https://a.test', [null], 'signature_agent_unparsable'],
    ['"https://a.test", "https://b.test"', [null], 'signature_agent_unparsable'],
    ['https://a.test, https://b.test', [null], 'signature_agent_unparsable'],
    [`a="${'x'.repeat(8_200)}"`, ['a'], 'signature_agent_unparsable'],
    [`a="https://a.test/${'x'.repeat(2_048)}"`, ['a'], 'signature_agent_not_a_url'],
    ['a="a.test"', ['a'], 'signature_agent_not_a_url'],
    ['a="https://a.test/#x"', ['a'], 'signature_agent_not_a_url'],
    ['http://a.test', [null], 'signature_agent_not_https'],
  ] as const)('rejects %s covering %j: %s', (header, keys, fault) => {
    expect(resolveAgent(header, 'sig1', coverMembers(...keys))).toMatchObject({ directoryUrl: null, fault });
  });

  it('returns the claimed agent and a fault if the header is not covered', () => {
    expect(resolveAgent('sig1="https://a.test/keys"', 'sig1', [])).toEqual({
      agent: 'https://a.test/keys',
      directoryUrl: 'https://a.test/keys',
      fault: 'signature_agent_not_covered',
    });
  });

  it.each([
    ['"https://a.test";x', null],
    ['"https://a.test";type=directory', null],
    ['sig1="https://a.test";type=directory', 'sig1'],
    ['sig1="https://a.test";type=jwks_uri', 'sig1'],
  ])('returns the claimed agent and a fault for %s', (header, key) => {
    expect(resolveAgent(header, 'sig1', coverMembers(key))).toEqual({
      agent: 'https://a.test',
      directoryUrl: 'https://a.test/.well-known/http-message-signatures-directory',
      fault: 'signature_agent_member_has_parameters',
    });
  });
});
