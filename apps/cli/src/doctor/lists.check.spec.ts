import { checkLists } from './lists.check.js';

const FAILING = { fault: 'unreachable: getaddrinfo ENOTFOUND lists.example', fetched_at: null };
const FETCHED = { fault: null, fetched_at: '2026-11-23T00:00:00.000Z' };
const PENDING = { fault: null, fetched_at: null };

it('warns when most lists fail, with the reason and advice', () => {
  expect(checkLists([FAILING, FETCHED, FAILING])).toMatchObject([{ status: 'warning' }]);
  expect(checkLists([FAILING, PENDING, FAILING])).toEqual([
    {
      subject: 'address lists',
      status: 'warning',
      detail: '2 of 3 lists are failing, such as: unreachable: getaddrinfo ENOTFOUND lists.example',
      advice: expect.stringContaining('IP_LISTS_FILE'),
    },
  ]);
});

it.each([
  [[FETCHED, FAILING], '1 of 2 lists are failing; System names them'],
  [[FETCHED], '1 lists, none of them failing'],
  [[], '0 lists, none of them failing'],
])('reports no problem for %j', (lists, detail) => expect(checkLists(lists)).toMatchObject([{ status: 'ok', detail }]));
