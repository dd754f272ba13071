import { describeNetworkVisits } from './network-warning.js';

it.each([
  [
    { all: 550, people: 0, own: null, isEstimated: false },
    'This network made 550 visits in this period. None look human.',
  ],
  [
    { all: 329, people: 290, own: 19, isEstimated: false },
    'This also applies to 310 other visits from this network in this period. 290 of them show no signs of automation and may be by people.',
  ],
  [{ all: 19, people: 0, own: 19, isEstimated: false }, 'This network made no other visits in this period.'],
  [
    { all: 2, people: 1, own: 1, isEstimated: false },
    'This also applies to 1 other visit from this network in this period. 1 of them shows no signs of automation and may be by people.',
  ],
])('describes %j', (visits, text) => expect(describeNetworkVisits(visits)).toBe(text));
