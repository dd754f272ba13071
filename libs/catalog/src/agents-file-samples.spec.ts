import { pairSamples, plainSample } from './agents-file-samples.js';
import { bundledCatalog } from './bundled-catalog.js';

it('extracts a literal sample from plain patterns', () => {
  expect(['\\bGPTBot\\b', '\\bcurl\\/', '^Foo\\.Bot/\\d$'].map(plainSample)).toEqual(['GPTBot', 'curl/', 'Foo.Bot/1']);
  expect(['Foo(?:bar)?', 'Fo+', '[Ff]oo', 'Foo|Bar', '\\w{3}', '', '^$', 'Foo('].map(plainSample)).toEqual(
    Array.from({ length: 8 }, () => null),
  );
});

it('creates only samples that match their pattern', () => {
  const patterns = bundledCatalog().agents.flatMap((agent) => agent.user_agent_patterns);
  const made = patterns.map((pattern) => ({ pattern, sample: plainSample(pattern) }));
  expect(made.filter(({ pattern, sample }) => sample !== null && !new RegExp(pattern, 'i').test(sample))).toEqual([]);
  expect(made.filter(({ sample }) => sample !== null).length / made.length).toBeGreaterThan(0.9);
});

it('pairs samples with patterns in any order', () => {
  expect(pairSamples(['Foo(?:bar)?', 'Bazbot', 'Qux+'], ['a Quxx', 'a Foobar', 'nobody'])).toEqual({
    samples: ['a Foobar', 'Bazbot', 'a Quxx'],
    unused: ['nobody'],
  });
  expect(pairSamples(['Foo+'], [])).toEqual({ samples: [null], unused: [] });
});
