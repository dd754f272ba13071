import {
  readDocumentedTable,
  readExpectedOutcomes,
  createFormatsTable,
  parseOutcomes,
  readSampleLines,
  updateSamples,
} from '../../../../test/kit/log-samples.js';
import { LogParser } from '../log-parser.js';
import { LOG_FORMATS } from './formats.js';

// UPDATE_SAMPLES=true rewrites the expected visits and the table in the docs. Review the diff.
if (process.env['UPDATE_SAMPLES'] === 'true') updateSamples();

describe.each(LOG_FORMATS.map((format) => [format.name, format] as const))('%s', (_, format) => {
  it("reads every line in the format's sample as expected", () => {
    expect(parseOutcomes(new LogParser(format), readSampleLines(format))).toEqual(readExpectedOutcomes(format));
  });

  it('detects the format from its sample', () => {
    const parser = new LogParser();
    expect(parseOutcomes(parser, readSampleLines(format))).toEqual(readExpectedOutcomes(format));
    expect(parser.lastFormat?.name).toBe(format.name);
  });
});

it('uses a unique name in kebab case for each format', () => {
  const names = LOG_FORMATS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  expect(names.filter((name) => !/^[a-z\d]+(-[a-z\d]+)*$/.test(name))).toEqual([]);
});

it('matches the formats table in the docs', () => {
  expect(readDocumentedTable()).toEqual(createFormatsTable());
});
