import { parseLine } from '#libs/access-log';
import { generateLog } from './log-generator.js';

it('reports the same unreadable lines as the parser', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const log = generateLog({ lines: 500, seed, unreadableEvery: 7 });
    const lines = Buffer.from(log.text).toString('latin1').trimEnd().split('\n');
    const unreadable = lines.flatMap((line, index) => ('reason' in parseLine(line) ? [index + 1] : []));
    expect(unreadable).toEqual(log.unreadable);
    expect(log.readable + log.unreadable.length).toBe(500);
  }
});

it('generates the same log for the same seed', () => {
  expect(generateLog({ lines: 50, seed: 3 })).toEqual(generateLog({ lines: 50, seed: 3 }));
  expect(generateLog({ lines: 50, seed: 3 }).text).not.toBe(generateLog({ lines: 50, seed: 4 }).text);
  expect(generateLog({ lines: 100 }).unreadable).toEqual([]);
});
