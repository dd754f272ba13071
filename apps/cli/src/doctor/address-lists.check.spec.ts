import { checkLists } from './address-lists.check.js';

const FAILING = { fault: 'unreachable: getaddrinfo ENOTFOUND lists.example', fetched_at: null };
const FETCHED = { fault: null, fetched_at: '2026-11-23T00:00:00.000Z' };
const PENDING = { fault: null, fetched_at: null };

it('warns and gives a reason and advice if most address lists fail to load', () => {
  expect(checkLists([FAILING, FETCHED, FAILING])).toMatchObject([{ status: 'warning' }]);
  expect(checkLists([FAILING, PENDING, FAILING])).toEqual([
    {
      subject: 'address lists',
      status: 'warning',
      detail: '2 of 3 lists are failing, for example: unreachable: getaddrinfo ENOTFOUND lists.example',
      advice: expect.stringContaining('IP_LISTS_FILE'),
    },
  ]);
});

it.each([
  [[FETCHED, FAILING], '1 of 2 lists are failing; see System in the dashboard'],
  [[FETCHED], '1 lists, none failing'],
  [[], '0 lists, none failing'],
])('reports ok for the address lists %j', (lists, detail) =>
  expect(checkLists(lists)).toMatchObject([{ status: 'ok', detail }]),
);
