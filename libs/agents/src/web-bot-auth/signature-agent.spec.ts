import { readFileSync } from 'node:fs';
import { namedAgent, readSignatureAgent } from './signature-agent.js';
import type { CoveredComponent } from './signature-fields.js';

interface Parsing {
  header: string;
  members: Record<string, string>;
  directory_url?: string;
}

const vectors = JSON.parse(readFileSync(new URL('../../vectors/web-bot-auth.json', import.meta.url), 'utf8')) as {
  signature_agent_parsing: Parsing[];
};

/** Components that cover the members with these keys. `null` covers the entire field. */
function covering(...keys: (string | null)[]): CoveredComponent[] {
  return keys.map((key) => ({
    identifier: '',
    name: 'signature-agent',
    parameters: new Map(key === null ? [] : [['key', key]]),
  }));
}

const named = (header: string | undefined, label: string, components: CoveredComponent[]) =>
  namedAgent(readSignatureAgent(header), label, components);

describe('Signature-Agent', () => {
  it.each(vectors.signature_agent_parsing)('reads $header', ({ header, members, directory_url }) => {
    for (const [key, agent] of Object.entries(members)) {
      const result = named(header, 'sig1', covering(key === '' ? null : key));
      expect(result).toMatchObject({ agent, fault: null });
      if (directory_url !== undefined) expect(result.directoryUrl).toBe(directory_url);
    }
    // An IP address is a valid URL, although no catalog lists one.
    if (Object.keys(members).length === 0 && !header.includes('127.0.0.1')) {
      expect(named(header, 'sig1', covering('sig1')).fault).not.toBeNull();
    }
  });

  it.each([
    ['a="https://a.test", b="https://b.test"', 'b', ['b', 'a'], 'https://b.test'],
    ['a="https://a.test", b="https://b.test"', 'c', ['a'], 'https://a.test'],
    ['a="https://a.test", b="https://b.test"', 'b', [null], 'https://b.test'],
    ['a="https://a.test"', 'b', [null], 'https://a.test'],
    ['a=1, b="https://b.test"', 'b', ['b'], 'https://b.test'],
    ['"https://a.test"', 'b', [null], 'https://a.test'],
  ] as const)('reads %s for label %s covering %j', (header, label, keys, agent) => {
    expect(named(header, label, covering(...keys))).toMatchObject({ agent, fault: null });
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
    expect(named(header, 'sig1', covering(...keys))).toMatchObject({ directoryUrl: null, fault });
  });

  it('reports the claimed agent if the header is not covered', () => {
    expect(named('sig1="https://a.test/keys"', 'sig1', [])).toEqual({
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
  ])('names the agent of %s, but reports a fault', (header, key) => {
    expect(named(header, 'sig1', covering(key))).toEqual({
      agent: 'https://a.test',
      directoryUrl: 'https://a.test/.well-known/http-message-signatures-directory',
      fault: 'signature_agent_member_has_parameters',
    });
  });
});
