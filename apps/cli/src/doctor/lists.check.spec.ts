import { checkLists } from './lists.check.js';

const FAILING = { fault: 'unreachable: getaddrinfo ENOTFOUND lists.example' };
const FETCHED = { fault: null };

it('warns when all lists are failing, and says why and what to do', () => {
  expect(checkLists([FAILING, FAILING])).toEqual([
    {
      subject: 'address lists',
      status: 'warning',
      detail: 'all 2 lists are failing, such as: unreachable: getaddrinfo ENOTFOUND lists.example',
      advice: expect.stringContaining('IP_LISTS_FILE'),
    },
  ]);
});

it.each([
  [[FETCHED, FAILING], '1 of 2 lists are failing; System names them'],
  [[FETCHED], '1 lists, none of them failing'],
  [[], '0 lists, none of them failing'],
])('is content with %j', (lists, detail) => expect(checkLists(lists)).toMatchObject([{ status: 'ok', detail }]));
