import { CLIENT_ADDRESS_REASONS, IDENTIFICATION_REASONS } from '#libs/agents/vocabulary';
import { findDeviations } from '../../../../test/kit/async-api.js';
import { EnrichedVisitSchema } from '../enriched-visit.schema.js';
import { DEAD_LETTER_REASONS, TOPICS } from '../topics.js';
import { validator } from '../validator.js';
import { asyncApiDocument, EXAMPLE_VISIT } from './index.js';

const document = asyncApiDocument();

describe('asyncApiDocument', () => {
  it('contains only references that resolve, and no custom formats', () => {
    const text = JSON.stringify(document);
    for (const [, pointer] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = pointer!.split('/').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
      expect([pointer, typeof target]).toEqual([pointer, 'object']);
    }
    expect(text).not.toContain('"timestamp"');
    expect(text).not.toContain('$id');
  });

  it('provides examples that match their schemas', () => {
    for (const [name, { examples, contentType }] of Object.entries(document.components.messages)) {
      expect(examples.length).toBeGreaterThan(0);
      for (const { headers, payload } of examples) {
        const value = Buffer.from(contentType === 'application/json' ? JSON.stringify(payload) : (payload as string));
        expect([name, findDeviations({ topic: document.channels[name]!.address, headers, value })]).toEqual([name, []]);
      }
    }
    const { payload } = document.components.messages['visitsEnriched']!.examples[0]!;
    expect(validator(EnrichedVisitSchema).faults(payload)).toEqual([]);
  });

  it('lists every known reason and accepts unknown values', () => {
    const text = JSON.stringify(document);
    const words = [...IDENTIFICATION_REASONS, ...Object.keys(CLIENT_ADDRESS_REASONS), ...DEAD_LETTER_REASONS];
    expect(words.filter((word) => !text.includes(`"${word}"`))).toEqual([]);
    const step = { ...EXAMPLE_VISIT.identification.evidence, client_address_reason: 'moon_phase' };
    const steps = ['http_message_signature', 'ip_range', 'moon'].map((method) => ({ method, reason: 'moon_phase' }));
    const later = { result: 'probably', method: 'moon', reason: 'moon_phase', evidence: { ...step, steps } };
    const visit = {
      ...EXAMPLE_VISIT,
      identification: { ...EXAMPLE_VISIT.identification, ...later },
      robots: { verdict: 'probably', version: null, line: null },
      automation: { verdict: 'probably', signs: ['full_moon'] },
      referral: { assistant: 'Moon', operator: 'Moon', source: 'moonlight', value: 'moon' },
      kept_as: 'remembered',
    };
    expect(validator(EnrichedVisitSchema).faults(visit)).toEqual([]);
    const { headers } = document.components.messages['visitsEnriched']!.examples[0]!;
    const value = Buffer.from(JSON.stringify(visit));
    expect(findDeviations({ topic: TOPICS.visitsEnriched, headers, value })).toEqual([]);
    const change = document.components.messages['visitsChanged']!.examples[0]!;
    const changed = Buffer.from(
      JSON.stringify({ ...(change.payload as object), change: 'dreamt', enriched_visit: visit }),
    );
    expect(findDeviations({ topic: TOPICS.visitsChanged, headers: change.headers, value: changed })).toEqual([]);
  });

  it('declares the maximum message size of each topic', () => {
    const sizes = Object.values(document.channels).map(
      ({ bindings }) => (bindings.kafka['topicConfiguration'] as Record<string, number>)['max.message.bytes'],
    );
    expect(sizes).toEqual([2_097_152, 2_097_152, 2_097_152, 3_145_728, 2_097_152]);
  });
});
