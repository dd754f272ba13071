import type { ChangePart } from '#libs/visit-store';
import { explainChange } from './explain-change.js';

const part = (
  dimension: ChangePart['dimension'],
  value: string,
  [visits, previous]: [visits: number, previous: number],
): ChangePart => ({ dimension, value, visits, previous_visits: previous });

const USUAL = [
  part('network', '192.0.2.1', [50, 50]),
  part('result', 'verified', [50, 50]),
  part('page', '/docs/*', [50, 50]),
  part('status', '200', [50, 50]),
];

describe('explainChange', () => {
  it('names the network, verdict and folder that a rise comes from', () => {
    expect(
      explainChange([
        ...USUAL,
        part('network', '203.0.113.7', [70, 0]),
        part('network', '203.0.113.8', [50, 0]),
        part('network', '198.51.100.1', [14, 0]),
        part('result', 'not_verifiable', [134, 0]),
        part('page', '/blog/*', [100, 0]),
        part('page', '/', [34, 0]),
        part('status', '200', [134, 0]),
      ]),
    ).toEqual([
      { dimension: 'network', value: '203.0.113.0/24', visits: 120, previous_visits: 0 },
      { dimension: 'page', value: '/blog/*', visits: 100, previous_visits: 0 },
      { dimension: 'verdict', value: 'not_verifiable', visits: 134, previous_visits: 0 },
    ]);
  });

  it('names the causes of a fall', () => {
    expect(
      explainChange([
        ...USUAL,
        part('network', '2001:db8:1::1', [0, 60]),
        part('network', '2001:db8:1:2::1', [0, 30]),
        part('result', 'verified', [0, 90]),
        part('page', '/blog/*', [0, 45]),
        part('page', '/shop/*', [0, 45]),
        part('status', '404', [0, 80]),
        part('status', '200', [0, 10]),
      ]),
    ).toEqual([
      { dimension: 'network', value: '2001:db8:1::/48', visits: 0, previous_visits: 90 },
      { dimension: 'status', value: '404', visits: 0, previous_visits: 80 },
      { dimension: 'verdict', value: 'verified', visits: 50, previous_visits: 140 },
    ]);
  });

  it('names nothing if everything rose alike', () => {
    expect(
      explainChange([
        part('network', '192.0.2.1', [100, 50]),
        part('network', '198.51.100.1', [20, 10]),
        part('result', 'verified', [120, 60]),
        part('page', '/docs/*', [100, 50]),
        part('page', '/', [20, 10]),
        part('status', '200', [120, 60]),
      ]),
    ).toEqual([]);
  });

  it('names nothing if no value explains a clear majority, or the address is unknown', () => {
    expect(
      explainChange([
        ...USUAL,
        part('network', '203.0.113.1', [55, 0]),
        part('network', '198.51.100.1', [45, 0]),
        part('network', '', [50, 0]),
        part('result', 'verified', [150, 0]),
        part('page', '/a', [75, 0]),
        part('page', '/b', [75, 0]),
      ]),
    ).toEqual([]);
    expect(explainChange(USUAL)).toEqual([]);
    expect(explainChange([])).toEqual([]);
  });
});
