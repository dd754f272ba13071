import { pairSamples, getPlainSample } from './agents-file-samples.js';
import { getBundledCatalog } from './bundled-catalog.js';

it('derives a sample from a plain-text pattern', () => {
  expect(['\\bGPTBot\\b', '\\bcurl\\/', '^Foo\\.Bot/\\d$'].map(getPlainSample)).toEqual([
    'GPTBot',
    'curl/',
    'Foo.Bot/1',
  ]);
  expect(['Foo(?:bar)?', 'Fo+', '[Ff]oo', 'Foo|Bar', '\\w{3}', '', '^$', 'Foo('].map(getPlainSample)).toEqual(
    Array.from({ length: 8 }, () => null),
  );
});

it('generates only samples that match their pattern', () => {
  const patterns = getBundledCatalog().agents.flatMap((agent) => agent.user_agent_patterns);
  const generated = patterns.map((pattern) => ({ pattern, sample: getPlainSample(pattern) }));
  expect(generated.filter(({ pattern, sample }) => sample !== null && !new RegExp(pattern, 'i').test(sample))).toEqual(
    [],
  );
  expect(generated.filter(({ sample }) => sample !== null).length / generated.length).toBeGreaterThan(0.9);
});

it('pairs samples with patterns in any order', () => {
  expect(pairSamples(['Foo(?:bar)?', 'Bazbot', 'Qux+'], ['a Quxx', 'a Foobar', 'nobody'])).toEqual({
    samples: ['a Foobar', 'Bazbot', 'a Quxx'],
    unused: ['nobody'],
  });
  expect(pairSamples(['Foo+'], [])).toEqual({ samples: [null], unused: [] });
});
