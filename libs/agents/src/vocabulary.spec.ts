import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vocabulary from './vocabulary.js';

const {
  IDENTIFICATION_REASONS,
  CLIENT_ADDRESS_REASONS,
  describeClientAddressReason: clientAddressSentence,
  getMethodForReason: methodOf,
  describeReason: reasonSentence,
} = vocabulary;

it('matches the reasons documented in docs/verification.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/verification.md'), 'utf8');
  const section = page.split('## Reasons')[1]!.split('\n## ')[0]!;
  const cells = [...section.matchAll(/^\|([^|]+)\|/gm)].flatMap(([, cell]) => [...cell!.matchAll(/`([a-z_]+)`/g)]);
  const documented = new Set(['no_method', ...cells.map(([, reason]) => reason!)]);
  expect(documented).toEqual(new Set([...IDENTIFICATION_REASONS, 'ok']));
});

it('provides a sentence for every verification method and reason', () => {
  const sentences = Object.keys(vocabulary.METHODS).flatMap((method) =>
    [...IDENTIFICATION_REASONS, 'ok'].map((reason) => reasonSentence(reason, method)),
  );
  expect(sentences.filter((sentence) => !/^[A-Z].{9,109}\.$/.test(sentence))).toEqual([]);
  expect(IDENTIFICATION_REASONS.filter((reason) => reasonSentence(reason).startsWith('Reason: '))).toEqual([]);
});

it('derives the sentence for an unknown reason from its ID', () => {
  expect(reasonSentence('moon_phase')).toBe('Reason: moon phase.');
  expect(reasonSentence('ok', 'moon')).toBe('Reason: ok.');
  expect(reasonSentence('constructor', 'constructor')).toBe('Reason: constructor.');
  expect(clientAddressSentence('moon_phase')).toBe('moon phase');
  expect(clientAddressSentence('malformed')).toBe(CLIENT_ADDRESS_REASONS.malformed);
});

it.each([
  ['expired', 'http_message_signature'],
  ['directory_address_refused', 'http_message_signature'],
  ['address_not_listed', 'ip_range'],
  ['host_name_not_confirmed', 'reverse_dns'],
  ['dns_pending', 'reverse_dns'],
  ['no_method', null],
  ['no_client_address', null],
])('maps the reason %s to the method %s', (reason, method) => expect(methodOf(reason)).toBe(method));

it("returns an agent's verification methods", () => {
  const { getAgentMethods: methodsOfAgent } = vocabulary;
  expect(methodsOfAgent({})).toEqual([]);
  expect(
    methodsOfAgent({ ip_ranges: ['192.0.2.0/24'], signature_agents: ['a.example'], reverse_dns_suffixes: [] }),
  ).toEqual(['http_message_signature', 'ip_range']);
});
