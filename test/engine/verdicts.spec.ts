import { Engine } from '../../libs/engine/src/package.js';
import { createVerdictGroups } from '../kit/engine-verdicts.js';
import { publicKey, SNAPSHOT_TOKEN } from '../kit/signed-snapshots.js';
import { findDifferences } from './find-differences.js';

const groups = createVerdictGroups();

it('covers the entire corpus', () => {
  const cases = groups.flatMap((group) => group.cases);
  expect(cases.length).toBeGreaterThan(5_000);
  const final = cases.filter(({ missing }) => missing === null);
  expect(final.length / cases.length).toBeGreaterThan(0.8);
  const results = new Set(final.map(({ expected }) => expected.result));
  expect([...results].toSorted()).toEqual(['not_verifiable', 'unknown_agent', 'verification_failed', 'verified']);
});

it.each(groups.map((group) => [group.name, group] as const))(
  'identifies senders like the services: %s',
  async (_, group) => {
    const { different } = await findDifferences(Engine, { groups: [group], key: publicKey, token: SNAPSHOT_TOKEN });
    expect(different).toEqual([]);
  },
);
