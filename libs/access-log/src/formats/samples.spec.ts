import {
  documentedTable,
  expectedOutcomes,
  formatsTable,
  outcomesOf,
  sampleLines,
  updateSamples,
} from '../../../../test/kit/log-samples.js';
import { LogParser } from '../log-parser.js';
import { LOG_FORMATS } from './formats.js';

// UPDATE_SAMPLES=true rewrites the expected visits and the documented table. Review the diff.
if (process.env['UPDATE_SAMPLES'] === 'true') updateSamples();

describe.each(LOG_FORMATS.map((format) => [format.name, format] as const))('%s', (_, format) => {
  it('reads every line of its sample as expected', () => {
    expect(outcomesOf(new LogParser(format), sampleLines(format))).toEqual(expectedOutcomes(format));
  });

  it('is detected from its sample', () => {
    const parser = new LogParser();
    expect(outcomesOf(parser, sampleLines(format))).toEqual(expectedOutcomes(format));
    expect(parser.lastFormat?.name).toBe(format.name);
  });
});

it('uses a unique name in kebab case for each format', () => {
  const names = LOG_FORMATS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  expect(names.filter((name) => !/^[a-z\d]+(-[a-z\d]+)*$/.test(name))).toEqual([]);
});

it('documents the fields and the verification of each format', () => {
  expect(documentedTable()).toEqual(formatsTable());
});
